(set-option :produce-models true)
(set-logic QF_LIA)
; action: up = 0, (the trace has ended) = 1

; The initial state
(define-fun |n@0| () Int 0)
(define-fun |seen is some@0| () Bool false)
(declare-fun |seen@0| () Bool)
(define-fun |low holds@0| () Bool true)

; Step 1
(declare-fun |action@1| () Int)
(assert (<= 0 |action@1|))
(assert (<= |action@1| 1))
(declare-fun |up(by)@1| () Int)
(assert (<= 1 |up(by)@1|))
(assert (<= |up(by)@1| 2))
; the state after step 1
(declare-fun b9 () Bool)
(assert (= b9 (= |action@1| 0)))
(declare-fun |n@1| () Int)
(assert (= |n@1| (ite b9 |up(by)@1| 0)))
(declare-fun |seen is some@1| () Bool)
(assert (= |seen is some@1| b9))
(define-fun |seen@1| () Bool false)
(define-fun |low holds@1| () Bool true)

; Step 2
(declare-fun |action@2| () Int)
(assert (<= 0 |action@2|))
(assert (<= |action@2| 1))
; once ended, the trace stays so
(declare-fun b15 () Bool)
(assert (= b15 (= |action@2| 1)))
(assert (or (not (= |action@1| 1)) b15))
(declare-fun |up(by)@2| () Int)
(assert (<= 1 |up(by)@2|))
(assert (<= |up(by)@2| 2))
; step 2, up: the value is of the type (count.sts:5:38)
(declare-fun n10 () Int)
(assert (= n10 (+ |n@1| |up(by)@2|)))
(declare-fun b18 () Bool)
(assert (= b18 (= |action@2| 0)))
(assert (or (not b18) (<= n10 3)))
; the state after step 2
(declare-fun |n@2| () Int)
(assert (= |n@2| (ite b18 n10 |n@1|)))
(declare-fun |seen is some@2| () Bool)
(assert (= |seen is some@2| (or |seen is some@1| b18)))
(declare-fun |seen@2| () Bool)
(assert (= |seen@2| (and b18 (= |n@1| 1))))
(declare-fun |low holds@2| () Bool)
(assert (= |low holds@2| (or (not (<= 3 |n@2|)) (not |seen is some@2|))))

; Somewhere in the trace, low does not hold.
(assert (not b15))
(assert (not |low holds@2|))
(check-sat)
