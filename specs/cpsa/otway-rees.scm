; The protocol of Otway and Rees.
;
; Source: D. Otway, O. Rees, Efficient and timely mutual authentication, 1987.
; Attack: F. Thayer Fabrega, J. Herzog, J. Guttman, Strand spaces: proving security protocols correct, 1999. The
; initiator has no agreement with the responder on the key.
;
; Expect: S1-resp attack
; Expect: S1-serv-alive holds
; Expect: S2 holds
; Expect: S3-init-alive holds
; Expect: S3-serv-alive holds
; Expect: S4 holds

(herald "Otway-Rees")

(defmacro (request n m a b s)
  (enc n m a b (ltk a s)))

(defprotocol otway-rees basic
  (defrole init
    (vars (a b s name) (m na text) (k skey))
    (trace
      (send (cat m a b (enc na m a b (ltk a s))))
      (recv (cat m (enc na k (ltk a s)))))
    (uniq-orig m na))
  (defrole resp
    (vars (a b s name) (m nb text) (k skey) (x y mesg))
    (trace
      (recv (cat m a b x))
      (send (cat m a b x (enc nb m a b (ltk b s))))
      (recv (cat m y (enc nb k (ltk b s))))
      (send (cat m y)))
    (uniq-orig nb))
  (defrole serv
    (vars (a b s name) (m na nb text) (k skey))
    (trace
      (recv (cat m a b (request na m a b s) (enc nb m a b (ltk b s))))
      (send (cat m (enc na k (ltk a s)) (enc nb k (ltk b s)))))
    (uniq-orig k)))

(defskeleton otway-rees
  (vars (a b s name))
  (defstrand init 2 (a a) (b b) (s s))
  (non-orig (ltk a s) (ltk b s)))

(defskeleton otway-rees
  (vars (a b s name) (k skey))
  (defstrand init 2 (a a) (b b) (s s) (k k))
  (deflistener k)
  (non-orig (ltk a s) (ltk b s)))

(defskeleton otway-rees
  (vars (a b s name))
  (defstrand resp 3 (a a) (b b) (s s))
  (non-orig (ltk a s) (ltk b s)))

(defskeleton otway-rees
  (vars (a b s name) (k skey))
  (defstrand resp 3 (a a) (b b) (s s) (k k))
  (deflistener k)
  (non-orig (ltk a s) (ltk b s)))
