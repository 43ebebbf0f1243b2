-------------------------------- MODULE Clock --------------------------------
\* A clock with quarters of hours is a clock of hours.
EXTENDS Integers
VARIABLES quarters

Shown == INSTANCE Hours WITH hour <- quarters \div 4

Init == quarters = 0
Pass == /\ quarters < 95
        /\ quarters' = quarters + 1
Midnight == quarters = 95 /\ quarters' = 0
Next == Pass \/ Midnight
Spec == Init /\ [][Next]_quarters

InRange == quarters \in 0..95
IsAClock == Shown!Init /\ [][Shown!Tick]_(quarters \div 4)
=============================================================================
