---- MODULE FiniteSetsExt ----
EXTENDS Integers, FiniteSets, Functions
LOCAL INSTANCE Folds
FoldSet(op(_, _), base, S) == __fold(LAMBDA so_far, e : op(e, so_far), base, S)
ReduceSet(op(_, _), S, base) == __fold(LAMBDA so_far, e : op(e, so_far), base, S)
SumSet(S) == __fold(LAMBDA so_far, e : so_far + e, 0, S)
Sum(S) == __fold(LAMBDA so_far, e : so_far + e, 0, S)
ProductSet(S) == __fold(LAMBDA so_far, e : so_far * e, 1, S)
MapThenSumSet(op(_), S) == __fold(LAMBDA so_far, e : so_far + op(e), 0, S)
SumOver(S, op(_)) == __fold(LAMBDA so_far, e : so_far + op(e), 0, S)
Quantify(S, P(_)) == Cardinality({s \in S : P(s)})
kSubset(k, S) == {s \in SUBSET S : Cardinality(s) = k}
Max(S) == CHOOSE x \in S : \A y \in S : x >= y
Min(S) == CHOOSE x \in S : \A y \in S : x <= y
ChooseUnique(S, P(_)) == CHOOSE x \in S : P(x) /\ \A y \in S : P(y) => y = x
SymDiff(S, T) == (S \ T) \cup (T \ S)
FlattenSet(S) == UNION S
Choices(Sets) == {f \in [Sets -> UNION Sets] : \A S \in Sets : f[S] \in S}
====
