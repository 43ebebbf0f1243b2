-------------------------------- MODULE Names --------------------------------
\* A string and a model value that are spelled alike are different values.
CONSTANTS idle, Values

VARIABLE shown

Init == shown = "idle"

Next == \/ shown = "idle" /\ shown' = idle
        \/ shown = idle /\ shown' \in Values

NeverTheValue == shown # idle
NeverOther == shown \in {"idle", idle} \cup Values
=============================================================================
