---- MODULE SequencesExt ----
EXTENDS Integers, Sequences, FiniteSets
ToSet(s) == {s[i] : i \in DOMAIN s}
Range(s) == {s[i] : i \in DOMAIN s}
Indices(s) == DOMAIN s
Last(s) == s[Len(s)]
Front(s) == SubSeq(s, 1, Len(s) - 1)
Cons(e, s) == <<e>> \o s
Snoc(s, e) == Append(s, e)
Reverse(s) == [i \in 1..Len(s) |-> s[(Len(s) - i) + 1]]
Contains(s, e) == \E i \in DOMAIN s : s[i] = e
IsInjective(s) == \A i, j \in DOMAIN s : s[i] = s[j] => i = j
IsPrefix(s, t) == Len(s) <= Len(t) /\ \A i \in 1..Len(s) : s[i] = t[i]
IsStrictPrefix(s, t) == Len(s) < Len(t) /\ \A i \in 1..Len(s) : s[i] = t[i]
RemoveAt(s, i) == SubSeq(s, 1, i - 1) \o SubSeq(s, i + 1, Len(s))
ReplaceAt(s, i, e) == [s EXCEPT ![i] = e]
InsertAt(s, i, e) == SubSeq(s, 1, i - 1) \o (<<e>> \o SubSeq(s, i, Len(s)))
SetToSeqs(S) == {f \in [1..Cardinality(S) -> S] : \A i, j \in 1..Cardinality(S) : f[i] = f[j] => i = j}
FoldLeft(op(_, _), base, s) == __fold_list(op, base, s)
FoldSeq(op(_, _), base, s) == __fold_list(LAMBDA so_far, e : op(e, so_far), base, s)
====
