------------------------------ MODULE Turnstile ------------------------------
\* Visitors look whether there is room, and enter later: two of them may see the last place.
EXTENDS Naturals, FiniteSets

CONSTANTS Visitors, Room

VARIABLES place, inside

vars == <<place, inside>>

TypeOK == /\ place \in [Visitors -> {"outside", "at the gate", "inside"}]
          /\ inside \in 0..Cardinality(Visitors)

Init == /\ place = [v \in Visitors |-> "outside"]
        /\ inside = 0

Look(v) == /\ place[v] = "outside"
           /\ inside < Room
           /\ place' = [place EXCEPT ![v] = "at the gate"]
           /\ UNCHANGED inside

Enter(v) == /\ place[v] = "at the gate"
            /\ place' = [place EXCEPT ![v] = "inside"]
            /\ inside' = inside + 1

Leave(v) == /\ place[v] = "inside"
            /\ place' = [place EXCEPT ![v] = "outside"]
            /\ inside' = inside - 1

Next == \E v \in Visitors : Look(v) \/ Enter(v) \/ Leave(v)

Spec == Init /\ [][Next]_vars /\ \A v \in Visitors : WF_vars(Enter(v)) /\ WF_vars(Leave(v))

NotCrowded == inside <= Room

GateIsLeft == \A v \in Visitors : place[v] = "at the gate" ~> place[v] = "inside"

AllEnter == \A v \in Visitors : <>(place[v] = "inside")

OneByOne == [][inside' - inside <= 1]_inside
=============================================================================
