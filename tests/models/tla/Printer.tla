------------------------------- MODULE Printer -------------------------------
\* A printer that serves whom it likes: weak fairness of serving a user does not suffice.
CONSTANTS Users, Nobody

VARIABLES waiting, served

vars == <<waiting, served>>

ASSUME Nobody \notin Users

Init == /\ waiting = {}
        /\ served = Nobody

Ask(u) == /\ u \notin waiting
          /\ served # u
          /\ waiting' = waiting \cup {u}
          /\ UNCHANGED served

Serve(u) == /\ served = Nobody
            /\ u \in waiting
            /\ served' = u
            /\ waiting' = waiting \ {u}

Finish == /\ served # Nobody
          /\ served' = Nobody
          /\ UNCHANGED waiting

Next == Finish \/ \E u \in Users : Ask(u) \/ Serve(u)

Weak == Init /\ [][Next]_vars /\ WF_vars(Finish) /\ \A u \in Users : WF_vars(Serve(u))
Strong == Init /\ [][Next]_vars /\ WF_vars(Finish) /\ \A u \in Users : SF_vars(Serve(u))

ServedOnce == \A u \in Users : u \in waiting ~> served = u
=============================================================================
