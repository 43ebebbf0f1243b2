; The protocol of Needham and Schroeder with public keys, from both points of view.
;
; Source: R. Needham, M. Schroeder, Using encryption for authentication in large networks of computers, 1978.
; Attack: G. Lowe, An attack on the Needham-Schroeder public-key authentication protocol, 1995.
;
; Expect: S1-resp-alive holds
; Expect: S1-resp holds
; Expect: S2 holds
; Expect: S3-init-alive holds
; Expect: S3-init attack
; Expect: S4 attack

(herald "Needham-Schroeder")

(defprotocol needham-schroeder basic
  (defrole init
    (vars (a b name) (na nb text))
    (trace
      (send (enc na a (pubk b)))
      (recv (enc na nb (pubk a)))
      (send (enc nb (pubk b)))))
  (defrole resp
    (vars (a b name) (na nb text))
    (trace
      (recv (enc na a (pubk b)))
      (send (enc na nb (pubk a)))
      (recv (enc nb (pubk b))))))

(defskeleton needham-schroeder
  (vars (a b name) (na text))
  (defstrand init 3 (a a) (b b) (na na))
  (non-orig (privk a) (privk b))
  (uniq-orig na))

(defskeleton needham-schroeder
  (vars (a b name) (na text))
  (defstrand init 3 (a a) (b b) (na na))
  (deflistener na)
  (non-orig (privk a) (privk b))
  (uniq-orig na))

(defskeleton needham-schroeder
  (vars (a b name) (nb text))
  (defstrand resp 3 (a a) (b b) (nb nb))
  (non-orig (privk a) (privk b))
  (uniq-orig nb))

(defskeleton needham-schroeder
  (vars (a b name) (nb text))
  (defstrand resp 3 (a a) (b b) (nb nb))
  (deflistener nb)
  (non-orig (privk a) (privk b))
  (uniq-orig nb))
