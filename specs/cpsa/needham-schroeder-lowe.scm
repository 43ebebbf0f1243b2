; The protocol of Needham and Schroeder with public keys, repaired by Lowe.
;
; Source: G. Lowe, Breaking and fixing the Needham-Schroeder public-key protocol using FDR, 1996.
; Attack: none with typed messages.
;
; Expect: S1-resp-alive holds
; Expect: S1-resp holds
; Expect: S2 holds
; Expect: S3-init-alive holds
; Expect: S3-init holds
; Expect: S4 holds

(herald "Needham-Schroeder-Lowe")

(defprotocol needham-schroeder-lowe basic
  (defrole init
    (vars (a b name) (na nb text))
    (trace
      (send (enc na a (pubk b)))
      (recv (enc na nb b (pubk a)))
      (send (enc nb (pubk b)))))
  (defrole resp
    (vars (a b name) (na nb text))
    (trace
      (recv (enc na a (pubk b)))
      (send (enc na nb b (pubk a)))
      (recv (enc nb (pubk b))))))

(defskeleton needham-schroeder-lowe
  (vars (a b name) (na text))
  (defstrand init 3 (a a) (b b) (na na))
  (non-orig (privk a) (privk b))
  (uniq-orig na))

(defskeleton needham-schroeder-lowe
  (vars (a b name) (na text))
  (defstrand init 3 (a a) (b b) (na na))
  (deflistener na)
  (non-orig (privk a) (privk b))
  (uniq-orig na))

(defskeleton needham-schroeder-lowe
  (vars (a b name) (nb text))
  (defstrand resp 3 (a a) (b b) (nb nb))
  (non-orig (privk a) (privk b))
  (uniq-orig nb))

(defskeleton needham-schroeder-lowe
  (vars (a b name) (nb text))
  (defstrand resp 3 (a a) (b b) (nb nb))
  (deflistener nb)
  (non-orig (privk a) (privk b))
  (uniq-orig nb))
