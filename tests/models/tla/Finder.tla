------------------------------- MODULE Finder -------------------------------
(* A binary search in a sorted sequence, whose lower end moves one place too few. *)
EXTENDS Integers, Sequences

CONSTANTS Values, Longest

VARIABLES list, wanted, low, high, found

Smallest == LET Sets == INSTANCE FiniteSetsExt IN Sets!Min(Values)

Lists == UNION {[1..n -> Values] : n \in 1..Longest}

Sorted == {s \in Lists : \A i, j \in 1..Len(s) : i < j => s[i] <= s[j]}

Init ==
  /\ list \in Sorted
  /\ wanted \in Values
  /\ low = 1
  /\ high = Len(list)
  /\ found = 0

Look ==
  /\ low <= high
  /\ found = 0
  /\ LET middle == (low + high) \div 2
         value == list[middle]
     IN IF value = wanted THEN found' = middle /\ UNCHANGED <<low, high>>
        ELSE IF wanted < value THEN high' = middle - 1 /\ UNCHANGED <<low, found>>
        ELSE low' = middle /\ UNCHANGED <<high, found>>
  /\ UNCHANGED <<list, wanted>>

Done == (low > high \/ found > 0) /\ UNCHANGED <<list, wanted, low, high, found>>

Next == Look \/ Done

Spec == Init /\ [][Next]_<<list, wanted, low, high, found>> /\ WF_<<list, wanted, low, high, found>>(Look)

TypeOK == list \in Sorted /\ low \in 1..Longest + 1 /\ high \in 0..Longest /\ found \in 0..Longest

Right == found > 0 => list[found] = wanted /\ wanted >= Smallest

Ends == <>(low > high \/ found > 0)
=============================================================================
