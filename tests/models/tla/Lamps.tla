------------------------------- MODULE Lamps -------------------------------
(* Lamps on a grid: the sum of the lamps beside one decides whether it is on in the next state. *)
EXTENDS Integers

CONSTANT N

VARIABLE on

Places == {<<x, y>> : x, y \in 1..N}

RECURSIVE Sum(_, _)
Sum(f, S) == IF S = {} THEN 0 ELSE LET p == CHOOSE p \in S : TRUE IN f[p] + Sum(f, S \ {p})

light[<<x, y>> \in (0..N + 1) \X (0..N + 1)] ==
  IF x \in 1..N /\ y \in 1..N /\ on[<<x, y>>] THEN 1 ELSE 0

Beside(p) ==
  LET steps == {s \in {-1, 0, 1} \X {-1, 0, 1} : (s[1] = 0) /= (s[2] = 0)}
      places == {<<p[1] + x, p[2] + y>> : <<x, y>> \in steps}
  IN Sum(light, places)

Init == on \in [Places -> BOOLEAN]

Next == on' = [p \in Places |-> Beside(p) = 1]

TypeOK == on \in [Places -> BOOLEAN]

SomeOn == \E p \in Places : on[p]
=============================================================================
