[
  (bindings) (requires) (initial) (block) (enumeration) (record) (variant) (items) (match) (match_statement) (example)
] @fold
