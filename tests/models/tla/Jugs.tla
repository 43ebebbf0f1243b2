-------------------------------- MODULE Jugs --------------------------------
\* Two jugs of three and five litres; four litres are wanted.
EXTENDS Naturals

VARIABLES small, big

vars == <<small, big>>

TypeOK == /\ small \in 0..3
          /\ big \in 0..5

Min(m, n) == IF m < n THEN m ELSE n

Init == /\ small = 0
        /\ big = 0

FillSmall == small' = 3 /\ UNCHANGED big
FillBig == big' = 5 /\ UNCHANGED small
EmptySmall == small' = 0 /\ UNCHANGED big
EmptyBig == big' = 0 /\ UNCHANGED small

SmallToBig == LET poured == Min(small, 5 - big)
              IN /\ big' = big + poured
                 /\ small' = small - poured

BigToSmall == LET poured == Min(big, 3 - small)
              IN /\ big' = big - poured
                 /\ small' = small + poured

Next == \/ FillSmall
        \/ FillBig
        \/ EmptySmall
        \/ EmptyBig
        \/ SmallToBig
        \/ BigToSmall

Spec == Init /\ [][Next]_vars

NotSolved == big # 4
=============================================================================
