------------------------------- MODULE Seats -------------------------------
\* Guests who wait are given seats, in some order.
EXTENDS Integers, FiniteSets, Sequences

CONSTANT Guests

VARIABLES waiting, order, rows

vars == <<waiting, order, rows>>

Least == CHOOSE m \in {2, 3, 5} : \A n \in {2, 3, 5} : m <= n

Price[n \in 0 .. 3] == n * n

\* The orders of a set, by recursion over its subsets.
Orders(S) ==
    LET orders[T \in SUBSET S] ==
            IF T = {}
            THEN {<<>>}
            ELSE UNION {{Append(o, g) : o \in orders[T \ {g}]} : g \in T}
    IN  orders[S]

TypeOK ==
    /\ waiting \in SUBSET Guests
    /\ order \in UNION {Seq(Guests)}
    /\ Len(order) <= 2

Init ==
    /\ waiting \in {some \in SUBSET Guests : some # {}}
    /\ order = <<>>
    /\ rows \in {r \in [front : 0 .. 99, back : 0 .. 99] : r.front + r.back = 1}

Seat ==
    /\ waiting # {}
    /\ \E o \in Orders({g \in Guests : g \in waiting}) : order' = o
    /\ waiting' = {}
    /\ UNCHANGED rows

Next == Seat

Spec == Init /\ [][Next]_vars /\ WF_vars(Seat)

Cheap == Price[Cardinality(waiting)] < 4

Served == IF rows.front = 0 THEN <>(waiting = {}) ELSE <>(order # <<>>)

THEOREM Two == Least = 2

ASSUME Two
=============================================================================
