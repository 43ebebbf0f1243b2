---- MODULE Tuples ----
EXTENDS Naturals, Sequences, Bitwise
VARIABLES path, seen, code

Parts == {<<1>>, <<1, 2>>, <<>>}

Init == path = <<>> /\ seen = {} /\ code = 0

Go(part) == /\ Len(path) < 2
            /\ path' = path \o part
            /\ seen' = seen \union {part}
            /\ code' = code ^^ Len(path')

Next == \E part \in Parts : Go(part)

TypeOK == Len(path) <= 3 /\ code \in 0 .. 3
Known == seen \subseteq {<<1>>, <<1, 2>>, <<>>}
Same == {Append(<<1>>, 2)} \subseteq {<<1, 2>>}
Rising == path = <<1, 2>> <=> path \in {f \in [1..2 -> 1..2] : f[1] < f[2]}
NoPair == path \notin {1} \X {2}
Even == code & 1 = 0
Both == code | 1 = code + 1 - (code & 1)
====
