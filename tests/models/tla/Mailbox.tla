------------------------------- MODULE Mailbox -------------------------------
\* A queue between two processes; the receiver may take a letter and drop it.
EXTENDS Naturals, Sequences

CONSTANT Letters

VARIABLES box, sent, taken

Init == /\ box = <<>>
        /\ sent = 0
        /\ taken = 0

Put == \E letter \in 1..Letters :
         /\ sent < Letters
         /\ box' = Append(box, letter)
         /\ sent' = sent + 1
         /\ UNCHANGED taken

Take == /\ box # <<>>
        /\ taken' = Head(box)
        /\ box' = Tail(box)
        /\ UNCHANGED sent

Next == Put \/ Take

Short == Len(box) <= 2
Rising == [][taken' > taken]_taken
=============================================================================
