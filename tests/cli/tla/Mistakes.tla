------------------------------ MODULE Mistakes ------------------------------
EXTENDS Naturals
CONSTANT Low
VARIABLE level
Init == level = Low
Next == level' \in Nat
Named == level = "low"
Able == level \in STRING
Turns == <>[][Next]_level
=============================================================================
