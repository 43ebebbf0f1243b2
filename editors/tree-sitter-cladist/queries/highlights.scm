(comment) @comment
(doc_comment) @comment.documentation
(text) @string
(number) @number
[(true) (false)] @boolean
(none) @constant.builtin
(pattern ["true" "false"] @boolean)
(pattern "none" @constant.builtin)

[(boolean_type) (type_name)] @type
(type_declaration name: (name) @type)
(requirement "type" name: (name) @type)

(constant name: (name) @constant)
(enumeration (name) @constant)
(constructor name: (name) @constructor)
(pattern (name) @constructor)

(variable name: (name) @variable)
(parameter name: (name) @variable.parameter)
(group name: (name) @variable.parameter)
(named_value name: (name) @variable)
(binding name: (name) @variable.parameter)

(action name: (name) @function)
(operation name: (name) @function)
(definition name: (name) @function)
(predicate name: (name) @function)
(property name: (name) @function)
(vocabulary name: (name) @function)
(call function: (name) @function.call)
(call function: (field name: (name) @function.call))
(call_statement (path) @function.call)
(steps (path) @function)

(header name: (name) @module)
(import name: (name) @module)

(field name: (name) @property)
(field_value name: (name) @property)
(field_type name: (name) @property)

(label) @variable.builtin

[
  "across" "as" "assume" "const" "constrain" "def" "environment" "fairness" "import" "init" "modifies" "observe" "of"
  "pred" "require" "requires" "symmetric" "type" "value" "var" "vocabulary" "with" "eq" "lacks" "absent"
] @keyword
(header kind: _ @keyword)
(property kind: _ @keyword)
(action "action" @keyword)
(fairness ["action" "strong"] @keyword)
(operation "operation" @keyword)
(requirement ["variable" "function"] @keyword)
(example ["example" "counterexample" "within" "in"] @keyword)

["enum" "record" "variant" "option" "map" "set" "to"] @type.builtin
(collection ["seq" "bag" "max"] @type.builtin)

["if" "then" "else" "match"] @keyword.conditional
["forall" "exists"] @keyword
(aggregate ["sum" "count" "min" "max"] @keyword)
(let ["let" "in"] @keyword)
(let_statement "let" @keyword)
(group "in" @keyword)
(assignment "in" @keyword)
(map ["map" "in"] @keyword)
(pre "pre" @keyword)
(present "some" @keyword)
(test ["is" "some" "none"] @keyword.operator)
(never ["never" "between" "and" "before"] @keyword)
(established ["established" "by" "before"] @keyword)
(temporal ["always" "eventually" "next" "AX" "AF" "AG" "EX" "EF" "EG"] @keyword.operator)
(index "U" @keyword.operator)
(binary_expression operator: _ @operator)
(negation "not" @keyword.operator)
(binary_expression operator: ["and" "or" "in" "not" "subset" "union" "intersect" "minus" "mod" "otherwise" "until" "weak" "release"] @keyword.operator)

["=" "=>" ".." "'" "@" "-"] @operator
["(" ")" "[" "]" "{" "}"] @punctuation.bracket
[";" "," ":" "."] @punctuation.delimiter
