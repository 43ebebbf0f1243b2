------------------------------- MODULE Commit -------------------------------
\* Two phases: a set of messages, which are records. The manager commits as soon as one participant is prepared.
CONSTANTS Participants, Manager

VARIABLES state, decision, messages

Message == [kind : {"prepared", "commit", "abort"}, by : Participants \cup {Manager}]

TypeOK == /\ state \in [Participants -> {"working", "prepared", "committed", "aborted"}]
          /\ decision \in {"none", "commit", "abort"}
          /\ messages \subseteq Message

Init == /\ state = [p \in Participants |-> "working"]
        /\ decision = "none"
        /\ messages = {}

Send(kind, by) == messages' = messages \cup {[kind |-> kind, by |-> by]}

Prepare(p) == /\ state[p] = "working"
              /\ state' = [state EXCEPT ![p] = "prepared"]
              /\ Send("prepared", p)
              /\ UNCHANGED decision

GiveUp(p) == /\ state[p] = "working"
             /\ state' = [state EXCEPT ![p] = "aborted"]
             /\ UNCHANGED <<decision, messages>>

Decide == /\ decision = "none"
          /\ \/ /\ \E p \in Participants : [kind |-> "prepared", by |-> p] \in messages
                /\ decision' = "commit"
             \/ decision' = "abort"
          /\ Send(decision', Manager)
          /\ UNCHANGED state

Follow(p) == /\ state[p] \in {"working", "prepared"}
             /\ \E m \in messages :
                  /\ m.by = Manager
                  /\ state' = [state EXCEPT ![p] = IF m.kind = "commit" THEN "committed" ELSE "aborted"]
             /\ UNCHANGED <<decision, messages>>

Next == Decide \/ \E p \in Participants : Prepare(p) \/ GiveUp(p) \/ Follow(p)

Consistent == \A p, q \in Participants : ~ (state[p] = "committed" /\ state[q] = "aborted")
=============================================================================
