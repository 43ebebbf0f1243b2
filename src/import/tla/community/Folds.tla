---- MODULE Folds ----
MapThenFoldSet(op(_, _), base, f(_), choose(_), S) == __fold(LAMBDA so_far, e : op(f(e), so_far), base, S)
====
