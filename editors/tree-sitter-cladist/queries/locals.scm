[
  (definition) (action) (operation) (predicate) (block) (repetition) (quantified) (aggregate) (map) (let) (filter) (case)
] @local.scope

(parameter name: (name) @local.definition)
(group name: (name) @local.definition)
(map (name) @local.definition)
(named_value name: (name) @local.definition)

(name) @local.reference
