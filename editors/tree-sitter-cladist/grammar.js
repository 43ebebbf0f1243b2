/**
 * The specification language of Cladist: models, libraries and components (docs/language.md).
 */

// Levels of precedence, as in the table of the language reference; the loosest extends as far right as possible.
const LEVEL = {
  binder: 0,
  iff: 1,
  implies: 2,
  or: 3,
  and: 4,
  until: 5,
  prefix: 6,
  comparison: 7,
  range: 8,
  otherwise: 9,
  sets: 10,
  sum: 11,
  product: 12,
  negation: 13,
  at: 14,
  pre: 15,
  postfix: 16,
};

/** Words that are names except in some places. */
const WORDS = [
  "U", "bag", "before", "between", "by", "component", "count", "counterexample", "established", "example", "function",
  "let", "max", "min", "operation", "pre", "release", "seq", "strong", "sum", "variable", "weak", "within",
];

/** Such words that are prefix operators in some places: `next - 1` and `next[k]` begin with a name. */
const PREFIXES = ["never", "next"];

/** One or more, separated. */
const separated = (sign, rule) => seq(rule, repeat(seq(sign, rule)));

/** A list in brackets, with an optional comma at its end. */
const list = (open, rule, close) => seq(open, optional(seq(separated(",", rule), optional(","))), close);

/** The operators of arithmetic and sets, with their operands. */
const arithmetic = (operand) => [
  prec.right(LEVEL.otherwise, binary(operand, "otherwise")),
  ...[
    [choice("union", "intersect", "minus"), LEVEL.sets],
    [choice("+", "-"), LEVEL.sum],
    [choice("*", "/", "mod"), LEVEL.product],
  ].map(([sign, level]) => prec.left(level, binary(operand, sign))),
];

const binary = (operand, sign) => seq(field("left", operand), field("operator", sign), field("right", operand));

/** Comparisons and logical operators; after `let x =`, `in` is none. */
const logical = (operand, has_in) => [
  prec.left(LEVEL.iff, binary(operand, "<=>")),
  prec.right(LEVEL.implies, binary(operand, "=>")),
  prec.left(LEVEL.or, binary(operand, "or")),
  prec.left(LEVEL.and, binary(operand, "and")),
  prec.right(LEVEL.until, binary(operand, choice("until", seq("weak", "until"), "release"))),
  prec.left(LEVEL.comparison, binary(operand, choice("=", "!=", "<", "<=", ">", ">=", "subset"))),
  ...(has_in ? [prec.left(LEVEL.comparison, binary(operand, choice("in", seq("not", "in"))))] : []),
];

/** The rules of expressions whose last operand is `operand`; their names end in `suffix`. */
const expressions = (suffix, has_in) => {
  const of = ($) => $[`_expression${suffix}`];
  // Kinds of nodes are the same for all suffixes.
  const kinds = {
    binary_expression: ($) => choice(...logical(of($), has_in), ...arithmetic(of($))),
    range: ($) => prec.left(LEVEL.range, seq(of($), "..", of($))),
    test: ($) => prec.left(LEVEL.comparison, seq(of($), "is", choice("some", "none", $.name))),
    negation: ($) =>
      choice(
        prec.right(LEVEL.prefix, seq("not", of($))),
        prec.dynamic(-2, prec(LEVEL.negation, seq("-", of($)))),
      ),
    temporal: ($) =>
      prec.dynamic(1, prec.right(LEVEL.prefix, choice(
        seq(choice("always", "eventually", "next", "AX", "AF", "AG", "EX", "EF", "EG"), of($)),
        seq("EG", $.conditions, of($)),
      ))),
    never: ($) =>
      prec(LEVEL.prefix, seq(
        "never", of($), choice(seq("between", $._position, "and", $._position), seq("before", $._position)),
      )),
    established: ($) =>
      prec.right(LEVEL.prefix, seq(of($), "established", "by", $._postfix, "before", $._position)),
    quantified: ($) => prec.right(LEVEL.binder, seq(choice("forall", "exists"), $._groups, ":", of($))),
    aggregate: ($) => prec.right(LEVEL.binder, seq(choice("sum", "count", "min", "max"), $._groups, ":", of($))),
    map: ($) => prec.right(LEVEL.binder, seq("map", $.name, "in", $._domain, ":", of($))),
    conditional: ($) =>
      prec.right(LEVEL.binder, seq("if", $._expression, "then", $._expression, "else", of($))),
    let: ($) => prec.right(LEVEL.binder, seq("let", separated(",", $.named_value), "in", of($))),
  };
  const all = Object.keys(kinds);
  const rules = Object.fromEntries(all.map((kind) => [suffix ? `_${kind}${suffix}` : kind, kinds[kind]]));
  const alternatives = ($) => all.map((kind) => (suffix ? alias($[`_${kind}${suffix}`], $[kind]) : $[kind]));
  return { [`_expression${suffix}`]: ($) => choice($._postfix, ...alternatives($)), ...rules };
};

module.exports = grammar({
  name: "cladist",

  word: ($) => $._word,

  extras: ($) => [/\s/, $.comment, $.doc_comment],

  supertypes: ($) => [$._declaration, $._statement, $._type],

  // Words that are names elsewhere are decided by what follows.
  conflicts: ($) => [
    [$.set, $.conditions],
    [$.fairness, $.label],
    [$.name, $.aggregate],
    [$.name, $._aggregate_before_in],
    [$.name, $.let],
    [$.name, $._let_before_in],
    [$.name, $.never],
    [$.name, $._never_before_in],
    [$.name, $.temporal],
    [$.name, $._temporal_before_in],
  ],

  rules: {
    file: ($) => seq(optional($.header), repeat($._declaration)),

    header: ($) => seq(field("kind", choice("model", "library", "component")), field("name", $.name), ";"),

    comment: () => token(seq("//", /[^\n]*/)),
    doc_comment: () => token(prec(1, /\/\/\/([^\/\n][^\n]*)?/)),

    _word: () => /[A-Za-z_][A-Za-z0-9_]*/,
    name: ($) => choice($._word, ...WORDS, ...PREFIXES.map((word) => prec(LEVEL.prefix, word))),
    number: () => /[0-9]+/,
    text: () => /"[^"\n]*"/,
    path: ($) => prec.left(separated(".", $.name)),

    // Declarations

    _declaration: ($) =>
      choice(
        $.import, $.requires, $.constant, $.type_declaration, $.variable, $.initial, $.definition, $.action,
        $.operation, $.assumption, $.fairness, $.environment, $.property, $.predicate, $.vocabulary, $.example,
      ),

    import: ($) => seq("import", $.text, "as", field("name", $.name), optional($.bindings), ";"),
    bindings: ($) => seq("with", list("{", $.binding, "}")),
    binding: ($) => seq(field("name", $.name), "=", $._expression),

    requires: ($) => seq("requires", "{", repeat($.requirement), "}"),
    requirement: ($) =>
      choice(
        seq("type", field("name", $.name), optional(seq("=", $._expression)), ";"),
        seq(choice("value", "observe"), field("name", $.name), ":", $._type, optional(seq("=", $._expression)), ";"),
        seq("variable", field("name", $.name), ":", $._type, ";"),
        seq("function", field("name", $.name), optional($.parameters), ":", $._type, ";"),
      ),

    constant: ($) => seq("const", field("name", $.name), ":", $._type, "=", $._expression, ";"),
    type_declaration: ($) => seq(optional("symmetric"), "type", field("name", $.name), "=", $._type, ";"),
    variable: ($) => seq("var", field("name", $.name), ":", $._type, ";"),
    initial: ($) => seq("init", "{", repeat(seq($._expression, ";")), "}"),
    definition: ($) =>
      seq("def", field("name", $.name), optional($.parameters), ":", $._type, "=", $._expression, ";"),
    action: ($) =>
      seq(
        "action", field("name", $.name), optional($.parameters),
        optional(seq("modifies", separated(",", $.path))), $.block,
      ),
    operation: ($) => seq("operation", field("name", $.name), optional($.parameters), $.block),
    assumption: ($) => seq("assume", $._expression, ";"),
    fairness: ($) =>
      seq(
        "fairness",
        choice($._expression, seq(optional("strong"), "action", $.path, optional(list("(", $.name, ")")))),
        ";",
      ),
    environment: ($) => seq("environment", separated(",", $.steps), ";"),
    steps: ($) => seq($.path, optional(list("(", $.binding, ")"))),
    property: ($) =>
      seq(field("kind", choice("invariant", "ltl", "ctl")), field("name", $.name), ":", $._expression, ";"),
    predicate: ($) => seq("pred", field("name", $.name), optional($.parameters), "=", $._expression, ";"),

    vocabulary: ($) => seq("vocabulary", field("name", $.name), "=", separated("+", choice($.name, $.items)), ";"),
    items: ($) => list("{", $.item, "}"),
    item: ($) =>
      choice(
        seq("eq", $.arguments, optional("across")),
        seq(choice("lacks", "absent"), $.arguments),
        seq($.path, optional($.arguments)),
      ),

    example: ($) =>
      seq(
        choice("example", "counterexample"), "of", $.path, optional($.arguments), optional(seq("in", $.text)),
        optional($.bindings),
        choice(seq("within", $._expression, ";"), seq("{", repeat(seq($.steps, ";")), "}")),
      ),

    parameters: ($) => list("(", $.parameter, ")"),
    parameter: ($) => seq(separated(",", field("name", $.name)), ":", $._type),

    // Types

    _type: ($) =>
      choice(
        $.boolean_type, $.enumeration, $.collection, $.option, $.record, $.variant, $.map_type, $.range_type,
        $.type_name,
      ),
    boolean_type: () => "bool",
    type_name: ($) => $.name,
    range_type: ($) => seq($._bound, "..", $._bound),
    enumeration: ($) => seq("enum", list("{", $.name, "}")),
    collection: ($) =>
      prec.right(choice(
        seq("set", "of", $._type, optional(seq("max", $._domain))),
        seq(choice("seq", "bag"), "of", $._type, "max", $._domain),
      )),
    option: ($) => seq("option", $._type),
    record: ($) => seq("record", list("{", $.field_type, "}")),
    variant: ($) => seq("variant", list("{", $.constructor, "}")),
    constructor: ($) => seq(field("name", $.name), optional(list("(", $.field_type, ")"))),
    field_type: ($) => seq(field("name", $.name), ":", $._type),
    map_type: ($) => seq("map", $._type, "to", $._type),

    // Statements

    block: ($) => seq("{", repeat($._statement), "}"),
    _statement: ($) =>
      choice(
        $.require, $.constrain, $.choice, $.match_statement, $.repetition, $.let_statement, $.call_statement,
        $.assignment,
      ),
    require: ($) => seq("require", $._expression, ";"),
    constrain: ($) => seq("constrain", separated(",", $._expression), ";"),
    choice: ($) => seq("if", $._expression, $.block, optional(seq("else", choice($.block, $.choice)))),
    match_statement: ($) =>
      seq("match", $._expression, "{", repeat(seq(alias($.case_block, $.case), optional(","))), "}"),
    case_block: ($) => seq(separated("or", $.pattern), "=>", $.block),
    repetition: ($) => seq("forall", $._groups, $.block),
    let_statement: ($) => seq("let", separated(",", $.named_value), ";"),
    call_statement: ($) => seq($.path, $.arguments, ";"),
    assignment: ($) =>
      seq(
        $.path, "'", repeat(choice(seq("[", $._expression, "]"), seq(".", $.name))), choice("=", "in"),
        $._expression, ";",
      ),

    // Expressions

    ...expressions("", true),
    ...expressions("_before_in", false),

    // Bounds of ranges and domains of variables have no comparisons and no logical operators.
    _bound: ($) =>
      choice(
        $._postfix,
        alias($._binary_bound, $.binary_expression),
        alias($._negative_bound, $.negation),
      ),
    _binary_bound: ($) => choice(...arithmetic($._bound)),
    _negative_bound: ($) => prec(LEVEL.negation, seq("-", $._bound)),
    _domain: ($) => choice($._bound, alias($.range_type, $.range)),

    _groups: ($) => separated(",", $.group),
    group: ($) => seq(separated(",", field("name", $.name)), "in", $._domain),
    named_value: ($) => seq(field("name", $.name), "=", $._expression_before_in),
    conditions: ($) => list("{", $._expression, "}"),

    _postfix: ($) =>
      choice(
        $.name, $.number, $.text, $.true, $.false, $.none, $.label, $.boolean_type, $.present, $.parenthesised, $.set,
        $.filter, $.sequence, $.match, $.field, $.index, $.call, $.at, $.primed, $.with, $.pre,
      ),
    true: () => "true",
    false: () => "false",
    none: () => "none",
    label: () => "action",
    present: ($) => seq("some", "(", $._expression, ")"),
    parenthesised: ($) => seq("(", $._expression, ")"),
    set: ($) => list("{", $._expression, "}"),
    filter: ($) => seq("{", $._expression, ":", $._expression, "}"),
    sequence: ($) => prec.dynamic(-2, list("[", $._expression, "]")),
    match: ($) => seq("match", $._expression, list("{", $.case, "}")),
    case: ($) => seq(separated("or", $.pattern), "=>", $._expression),
    pattern: ($) =>
      choice(
        "else", "none", "true", "false", seq(optional("-"), $.number), seq("some", "(", $.name, ")"),
        seq($.name, optional(list("(", $.named_field, ")"))),
      ),
    named_field: ($) => seq($.name, optional(seq(":", $.name))),

    field: ($) => prec(LEVEL.postfix, seq($._postfix, ".", field("name", $.name))),
    index: ($) => prec(LEVEL.postfix, seq($._postfix, "[", $._expression, optional(seq("U", $._expression)), "]")),
    call: ($) => prec(LEVEL.postfix, seq(field("function", choice($.name, $.field)), $.arguments)),
    at: ($) => prec(LEVEL.at, seq($._postfix, "@", $._position)),
    primed: ($) => prec(LEVEL.postfix, seq($._postfix, "'")),
    with: ($) => prec(LEVEL.postfix, seq($._postfix, "with", $.arguments)),
    pre: ($) => prec(LEVEL.pre, seq("pre", $._postfix)),
    arguments: ($) => list("(", choice($._expression, $.field_value), ")"),
    field_value: ($) => seq(field("name", $.name), ":", $._expression),
    _position: ($) => choice($.name, $.number, $.parenthesised),
  },
});
