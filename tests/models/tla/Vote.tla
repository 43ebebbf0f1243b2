---- MODULE Vote ----
(* Voters send ballots to a clerk, who announces a result; messages of two kinds are in one set. *)
EXTENDS Integers, FiniteSets, FiniteSetsExt
CONSTANTS Voters, Open
VARIABLES msgs, result

Message == [kind : {"ballot"}, from : Voters, yes : BOOLEAN] \cup [kind : {"closed"}]

TypeOK == /\ msgs \subseteq Message
          /\ result \in 0 .. Cardinality(Voters) \cup {Open}

Init == msgs = {} /\ result = Open

Send(v) == /\ \A m \in msgs : m.kind = "ballot" => m.from # v
           /\ \E yes \in BOOLEAN :
                 msgs' = msgs \cup {[kind |-> "ballot", from |-> v, yes |-> yes]}
           /\ UNCHANGED result

Close == /\ result = Open
         /\ msgs' = msgs \cup {[kind |-> "closed"]}
         /\ result' = Quantify(msgs, LAMBDA m : m.kind = "ballot" /\ m.yes)

Next == Close \/ \E v \in Voters : Send(v)

(* A ballot may be sent after the end. *)
Counted == result # Open =>
             result = Cardinality({m \in msgs : m.kind = "ballot" /\ m.yes})

CanClose == result = Open => ENABLED Close
====
