---- MODULE Doubling ----
EXTENDS Naturals
VARIABLES amount, rounds

Init == amount = 1 /\ rounds = 0
Next == rounds < 80 /\ amount' = amount * 2 /\ rounds' = rounds + 1
Few == rounds < 60
Spec == Init /\ [][Next]_<<amount, rounds>>
====
