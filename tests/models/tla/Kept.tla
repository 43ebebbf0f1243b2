---- MODULE Kept ----
EXTENDS Naturals
VARIABLE x

Init == x \in 0 .. 1

Count == x < 5 /\ x' = x + 1

Spec == Init /\ [][Count]_x /\ WF_x(Count)

\* The step from 3 is forbidden, but it is a step, and Count stays enabled.
Few == x' <= 3

Arrives == <>(x = 4)
====
