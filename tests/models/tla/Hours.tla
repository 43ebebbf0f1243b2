-------------------------------- MODULE Hours --------------------------------
EXTENDS Naturals
VARIABLE hour
Init == hour \in 0..23
Tick == hour' = IF hour = 23 THEN 0 ELSE hour + 1
Spec == Init /\ [][Tick]_hour /\ WF_hour(Tick)
TypeOK == hour \in 0..23
Noon == []<>(hour = 12)
=============================================================================
