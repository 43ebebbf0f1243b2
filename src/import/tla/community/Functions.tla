---- MODULE Functions ----
EXTENDS Integers, FiniteSets
Restrict(f, S) == [x \in S |-> f[x]]
RestrictDomain(f, P(_)) == [x \in {y \in DOMAIN f : P(y)} |-> f[x]]
RestrictValues(f, P(_)) == [x \in {y \in DOMAIN f : P(f[y])} |-> f[x]]
IsRestriction(f, g) == DOMAIN f \subseteq DOMAIN g /\ \A x \in DOMAIN f : f[x] = g[x]
Range(f) == {f[x] : x \in DOMAIN f}
Pointwise(op(_, _), f, g) == [e \in DOMAIN f |-> op(f[e], g[e])]
Inverse(f, S, T) == [t \in T |-> CHOOSE s \in S : t \in {f[x] : x \in S} => f[s] = t]
IsInjective(f) == \A a, b \in DOMAIN f : f[a] = f[b] => a = b
Injection(S, T) == {f \in [S -> T] : IsInjective(f)}
Surjection(S, T) == {f \in [S -> T] : \A t \in T : \E s \in S : f[s] = t}
Bijection(S, T) == Injection(S, T) \cap Surjection(S, T)
ExistsInjection(S, T) == Injection(S, T) # {}
ExistsSurjection(S, T) == Surjection(S, T) # {}
ExistsBijection(S, T) == Bijection(S, T) # {}
FoldFunction(op(_, _), base, fun) == __fold(LAMBDA so_far, e : op(fun[e], so_far), base, DOMAIN fun)
FoldFunctionOnSet(op(_, _), base, fun, indices) == __fold(LAMBDA so_far, e : op(fun[e], so_far), base, indices)
SumFunction(fun) == __fold(LAMBDA so_far, e : so_far + fun[e], 0, DOMAIN fun)
SumFunctionOnSet(fun, indices) == __fold(LAMBDA so_far, e : so_far + fun[e], 0, indices)
====
