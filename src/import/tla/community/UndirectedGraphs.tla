---- MODULE UndirectedGraphs ----
EXTENDS Integers, FiniteSets
IsUndirectedGraph(G) ==
  /\ G = [node |-> G.node, edge |-> G.edge]
  /\ \A e \in G.edge : \E a, b \in G.node : e = {a, b}
IsLoopFreeUndirectedGraph(G) ==
  /\ IsUndirectedGraph(G)
  /\ \A e \in G.edge : Cardinality(e) = 2
UndirectedSubgraph(G) == {H \in [node : SUBSET G.node, edge : SUBSET {e \in SUBSET G.node : e \in G.edge}] : \A e \in H.edge : e \subseteq H.node}
LOCAL RECURSIVE Reached(_, _, _)
LOCAL Reached(E, S, k) == IF k = 0 THEN S ELSE Reached(E, S \cup {n \in UNION E : \E m \in S : {m, n} \in E}, k - 1)
AreConnectedIn(m, n, G) == n \in Reached(G.edge, {m}, Cardinality(G.node))
ConnectedComponents(G) == {{n \in G.node : AreConnectedIn(m, n, G)} : m \in G.node}
IsStronglyConnected(G) == \A m, n \in G.node : AreConnectedIn(m, n, G)
====
