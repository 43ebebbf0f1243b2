(set-option :produce-models true)
(set-logic QF_BV)
; action: up = 0, (the trace has ended) = 1

; The initial state
(define-fun |n@0| () (_ BitVec 3) (_ bv0 3))
(define-fun |seen is some@0| () Bool false)
(declare-fun |seen@0| () Bool)
(define-fun |low holds@0| () Bool true)

; Step 1
(declare-fun |action@1| () (_ BitVec 2))
(assert (bvsle (_ bv0 2) |action@1|))
(declare-fun |up(by)@1| () (_ BitVec 3))
(assert (bvsle (_ bv1 3) |up(by)@1|))
(assert (bvsle |up(by)@1| (_ bv2 3)))
; the state after step 1
(declare-fun b9 () Bool)
(assert (= b9 (= |action@1| (_ bv0 2))))
(declare-fun |n@1| () (_ BitVec 3))
(assert (= |n@1| (ite b9 |up(by)@1| (_ bv0 3))))
(declare-fun |seen is some@1| () Bool)
(assert (= |seen is some@1| b9))
(define-fun |seen@1| () Bool false)
(define-fun |low holds@1| () Bool true)

; Step 2
(declare-fun |action@2| () (_ BitVec 2))
(assert (bvsle (_ bv0 2) |action@2|))
; once ended, the trace stays so
(declare-fun b15 () Bool)
(assert (= b15 (= |action@2| (_ bv1 2))))
(assert (or (not (= |action@1| (_ bv1 2))) b15))
(declare-fun |up(by)@2| () (_ BitVec 3))
(assert (bvsle (_ bv1 3) |up(by)@2|))
(assert (bvsle |up(by)@2| (_ bv2 3)))
; step 2, up: the value is of the type (count.sts:5:38)
(declare-fun n10 () (_ BitVec 4))
(assert (= n10 (bvadd ((_ sign_extend 1) |n@1|) ((_ sign_extend 1) |up(by)@2|))))
(declare-fun b18 () Bool)
(assert (= b18 (= |action@2| (_ bv0 2))))
(assert (or (not b18) (bvsle n10 (_ bv3 4))))
; the state after step 2
(declare-fun |n@2| () (_ BitVec 3))
(assert (= |n@2| ((_ extract 2 0) (ite b18 n10 ((_ sign_extend 1) |n@1|)))))
(declare-fun |seen is some@2| () Bool)
(assert (= |seen is some@2| (or |seen is some@1| b18)))
(declare-fun |seen@2| () Bool)
(assert (= |seen@2| (and b18 (= |n@1| (_ bv1 3)))))
(declare-fun |low holds@2| () Bool)
(assert (= |low holds@2| (or (not (bvsle (_ bv3 3) |n@2|)) (not |seen is some@2|))))

; Somewhere in the trace, low does not hold.
(assert (not b15))
(assert (not |low holds@2|))
(check-sat)
