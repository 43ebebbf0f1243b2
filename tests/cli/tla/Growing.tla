------------------------------- MODULE Growing -------------------------------
\* Nothing bounds the queue, so that `Small` is violated, and steps beyond it have no place.
EXTENDS Sequences

VARIABLE queue

Init == queue = <<>>

Put == queue' = Append(queue, "job")

Next == Put

Small == Len(queue) <= 2
=============================================================================
