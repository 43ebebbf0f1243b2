-------------------------------- MODULE Hours --------------------------------
EXTENDS Naturals
VARIABLE hour
Init == hour \in 0..23
Tick == hour' = (hour + 1) % 24
Spec == Init /\ [][Tick]_hour /\ WF_hour(Tick)
TypeOK == hour \in 0..23
Noon == []<>(hour = 12)
=============================================================================
