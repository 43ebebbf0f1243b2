-------------------------------- MODULE Queue --------------------------------
\* A queue that takes one element more than it should.
EXTENDS Sequences

VARIABLE queue

Init == queue = <<>>

Put == Len(queue) < 3 /\ queue' = Append(queue, "job")

Get == queue # <<>> /\ queue' = Tail(queue)

Next == Put \/ Get

Small == Len(queue) <= 2
=============================================================================
