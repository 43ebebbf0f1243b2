//! Modules and their declarations.

use super::expressions::{expression, postfix, range_bound};
use super::input::{NAME, SECTION, SmvParseResult, SmvTokens, begins_section, name, token};
use crate::smv::text::tree::{
    Assign, AssignKind, ConstraintKind, SmvExpr, SmvExprKind, SmvFile, SmvItem, SmvModule, SmvPropertyKind,
    SmvTypeKind, SmvTypeSyntax, VariableKind,
};
use kit::parsing::{Expected, Name, TokenKind, nested, separated};
use nom::Parser;
use nom::combinator::opt;
use nom::sequence::{delimited, pair, preceded, terminated};

/// Sections that do not change the meaning of others.
const IGNORED_SECTIONS: &[&str] = &["COMPUTE", "MIRROR", "PRED", "PSLSPEC", "SIMPWFF"];

/// Types that are not supported, with alternatives.
const REFUSED_TYPES: &[(&str, &str)] = &[
    ("integer", "give it a range, such as `0..255`"),
    ("real", "give it a range of integers, such as `0..255`"),
];

/// Parses a whole text; never fails.
pub(super) fn file(input: SmvTokens<'_>) -> SmvFile {
    let (mut rest, mut file) = (input, SmvFile::default());
    while !rest.at_end() {
        rest = match header(rest) {
            Ok((after, module)) => {
                file.modules.push(module);
                after
            }
            Err(failure) => {
                let mistake = rest.state.report(failure, None);
                next_section(if mistake.position() > rest.position() { mistake } else { rest.skip() })
            }
        };
        let Some(module) = file.modules.last_mut() else { continue };
        while !rest.at_end() && !rest.at("MODULE") {
            rest = section(rest, &mut module.items);
        }
    }
    file
}

/// Returns the beginning of the next section or module, at or after a token.
fn next_section(mut at: SmvTokens<'_>) -> SmvTokens<'_> {
    while !at.at_end() && !begins_section(at) {
        at = at.skip();
    }
    at
}

/// Parses `MODULE m(p, q)`.
fn header(input: SmvTokens<'_>) -> SmvParseResult<'_, SmvModule> {
    let parameters = delimited(token("("), opt(separated(",", name)), token(")"));
    let (rest, (name, parameters)) = preceded(token("MODULE"), pair(name, opt(parameters))).parse(input)?;
    Ok((rest, SmvModule { name, parameters: parameters.flatten().unwrap_or_default(), items: Vec::new() }))
}

/// Parses a section; never fails.
fn section<'a>(input: SmvTokens<'a>, items: &mut Vec<SmvItem>) -> SmvTokens<'a> {
    let after = input.skip();
    let TokenKind::Word(word) = input.first().kind else {
        input.state.report(input.fail(Expected::Thing(SECTION)), None);
        return next_section(after);
    };
    match word {
        "VAR" => entries(after, items, |input| variable(input, VariableKind::State)),
        "IVAR" => entries(after, items, |input| variable(input, VariableKind::Input)),
        "FROZENVAR" => entries(after, items, |input| variable(input, VariableKind::Frozen)),
        "DEFINE" => entries(after, items, define),
        "ASSIGN" => entries(after, items, assign),
        "CONSTANTS" => constants(after, items),
        _ => match single(input, word) {
            Ok((rest, item)) => {
                items.push(item);
                rest
            }
            Err(failure) => after_mistake(after, input.state.report(failure, None)),
        },
    }
}

/// Parses entries, each with `;`, up to the next section.
fn entries<'a>(
    input: SmvTokens<'a>,
    items: &mut Vec<SmvItem>,
    mut entry: impl FnMut(SmvTokens<'a>) -> SmvParseResult<'a, SmvItem>,
) -> SmvTokens<'a> {
    let mut rest = input;
    while !rest.at_end() && !begins_section(rest) {
        let read = entry(rest).and_then(|(after, item)| Ok((token(";").parse(after)?.0, item)));
        rest = match read {
            Ok((after, item)) => {
                items.push(item);
                after
            }
            Err(failure) => {
                let mistake = rest.state.report(failure, None);
                after_mistake(if mistake.position() > rest.position() { rest } else { rest.skip() }, mistake)
            }
        };
    }
    rest
}

/// Returns the position after a mistake: behind the next `;` that is not in a `case`, or at the next section.
fn after_mistake<'a>(from: SmvTokens<'a>, mistake: SmvTokens<'a>) -> SmvTokens<'a> {
    let (mut at, mut depth) = (from, 0_usize);
    while !at.at_end() && !begins_section(at) {
        match at.first().kind {
            TokenKind::Word("case") => depth += 1,
            TokenKind::Word("esac") => depth = depth.saturating_sub(1),
            TokenKind::Sign(";") if depth == 0 && at.position() >= mistake.position() => return at.skip(),
            _ => {}
        }
        at = at.skip();
    }
    at
}

/// Parses `x : boolean`.
fn variable(input: SmvTokens<'_>, kind: VariableKind) -> SmvParseResult<'_, SmvItem> {
    let (rest, (name, ty)) = pair(terminated(declared, token(":")), ty).parse(input)?;
    Ok((rest, SmvItem::Variable(kind, name, ty)))
}

/// Parses the name of a variable, perhaps with constant indices: `x`, `x[0]`.
fn declared(input: SmvTokens<'_>) -> SmvParseResult<'_, Name> {
    let (mut rest, mut whole) = name(input)?;
    while rest.at("[") {
        let number = rest.skip();
        let (sign, number) = if number.at("-") { ("-", number.skip()) } else { ("", number) };
        let TokenKind::Number(Some(index)) = number.first().kind else {
            return number.unexpected(Expected::Thing("an index"));
        };
        (rest, _) = token("]").parse(number.skip())?;
        whole.text += &format!("[{sign}{index}]");
    }
    Ok((rest, Name { span: input.span_to(rest), ..whole }))
}

fn ty(input: SmvTokens<'_>) -> SmvParseResult<'_, SmvTypeSyntax> {
    nested(input, |input| {
        let (rest, kind) = match input.first().kind {
            TokenKind::Word("boolean") => (input.skip(), SmvTypeKind::Boolean),
            TokenKind::Word("array") => array(input)?,
            TokenKind::Sign("{") => {
                let members = separated(",", constant);
                delimited(token("{"), members, token("}")).map(SmvTypeKind::Enumeration).parse(input)?
            }
            TokenKind::Name if !begins_range(input) => instance(input)
                .map(|(rest, (module, arguments))| (rest, SmvTypeKind::Instance(module, arguments)))?,
            TokenKind::Word("process") => instance(input.skip())
                .map(|(rest, (module, arguments))| (rest, SmvTypeKind::Process(module, arguments)))?,
            TokenKind::Word("word") => word(input, false)?,
            TokenKind::Word(sign @ ("signed" | "unsigned")) if input.second_at("word") => {
                word(input.skip(), sign == "signed")?
            }
            TokenKind::Word(word) => match REFUSED_TYPES.iter().find(|(other, _)| *other == word) {
                Some((_, help)) => return Err(input.mistake(format!("`{word}` is not supported"), help)),
                None => return input.unexpected(Expected::Thing("a type")),
            },
            TokenKind::Name | TokenKind::Number(_) | TokenKind::Sign("-" | "(") => {
                pair(terminated(range_bound, token("..")), range_bound)
                    .map(|(low, high)| SmvTypeKind::Range(low, high))
                    .parse(input)?
            }
            _ => return input.unexpected(Expected::Thing("a type")),
        };
        Ok((rest, SmvTypeSyntax { kind, span: input.span_to(rest) }))
    })
}

/// Parses `word[n]`.
fn word(input: SmvTokens<'_>, signed: bool) -> SmvParseResult<'_, SmvTypeKind> {
    let width = delimited(token("["), expression, token("]"));
    width.map(|width| SmvTypeKind::Word(signed, width)).parse(input.skip())
}

/// True if a name is in the lower bound of a range: `N..M`, `N - 1..M`.
fn begins_range(input: SmvTokens<'_>) -> bool {
    ["..", "+", "-", "*", "/", "mod", "."].iter().any(|sign| input.second_at(sign))
}

/// Parses `array 0..3 of t`.
fn array(input: SmvTokens<'_>) -> SmvParseResult<'_, SmvTypeKind> {
    let rest = input.skip();
    if rest.at("of") || rest.at("integer") || rest.at("word") {
        return Err(rest.mistake("arrays have a constant range here", "write `array 0..3 of boolean`"));
    }
    let bounds = pair(terminated(range_bound, token("..")), range_bound);
    let (rest, ((low, high), of)) = pair(terminated(bounds, token("of")), ty).parse(rest)?;
    Ok((rest, SmvTypeKind::Array(low, high, Box::new(of))))
}

/// Parses a member of an enumeration.
fn constant(input: SmvTokens<'_>) -> SmvParseResult<'_, SmvExpr> {
    match input.first().kind {
        TokenKind::Name | TokenKind::Number(_) | TokenKind::Word("TRUE" | "FALSE") => postfix(input),
        TokenKind::Sign("-") if matches!(input.peek(1).kind, TokenKind::Number(_)) => range_bound(input),
        _ => input.unexpected(Expected::Thing("a constant")),
    }
}

/// Parses `m(e, f)`.
fn instance(input: SmvTokens<'_>) -> SmvParseResult<'_, (Name, Vec<SmvExpr>)> {
    let arguments = delimited(token("("), opt(separated(",", expression)), token(")"));
    let (rest, (module, arguments)) = pair(name, opt(arguments)).parse(input)?;
    Ok((rest, (module, arguments.flatten().unwrap_or_default())))
}

/// Parses `d := e` or `i.d := e`.
fn define(input: SmvTokens<'_>) -> SmvParseResult<'_, SmvItem> {
    if input.at("self") || input.second_at(".") {
        let (rest, (target, value)) = pair(terminated(target, token(":=")), expression).parse(input)?;
        return match target.kind {
            SmvExprKind::Dot(of, name) => Ok((rest, SmvItem::DefineOf(*of, name, value))),
            _ => input.unexpected(Expected::Thing(NAME)),
        };
    }
    let (rest, (name, value)) = pair(terminated(declared, token(":=")), expression).parse(input)?;
    Ok((rest, SmvItem::Define(name, value)))
}

/// Parses `init(x) := e`, `next(x) := e` or `x := e`.
fn assign(input: SmvTokens<'_>) -> SmvParseResult<'_, SmvItem> {
    let of = |input| delimited(token("("), target, token(")")).parse(input);
    let (rest, (kind, target)) = match input.first().kind {
        TokenKind::Word("init") => {
            of(input.skip()).map(|(rest, target)| (rest, (AssignKind::Init, target)))?
        }
        TokenKind::Word("next") => {
            of(input.skip()).map(|(rest, target)| (rest, (AssignKind::Next, target)))?
        }
        TokenKind::Name | TokenKind::Word("self") => {
            target(input).map(|(rest, target)| (rest, (AssignKind::Always, target)))?
        }
        _ => return input.unexpected(Expected::Thing("an assignment")),
    };
    let (rest, value) = preceded(token(":="), expression).parse(rest)?;
    Ok((rest, SmvItem::Assign(Assign { kind, target, value })))
}

/// Parses the target of an assignment.
fn target(input: SmvTokens<'_>) -> SmvParseResult<'_, SmvExpr> {
    let (rest, target) = match input.first().kind {
        TokenKind::Name | TokenKind::Word("self") => postfix(input)?,
        _ => return input.unexpected(Expected::Thing(NAME)),
    };
    match target.kind {
        SmvExprKind::Itself => {
            Err(input.mistake("`self` is an instance, which has no value", "name a variable of it"))
        }
        _ => Ok((rest, target)),
    }
}

/// Parses `CONSTANTS a, b;`.
fn constants<'a>(input: SmvTokens<'a>, items: &mut Vec<SmvItem>) -> SmvTokens<'a> {
    match terminated(separated(",", name), token(";")).parse(input) {
        Ok((rest, names)) => {
            items.extend(names.into_iter().map(SmvItem::Constant));
            rest
        }
        Err(failure) => after_mistake(input, input.state.report(failure, None)),
    }
}

/// Parses a section with one formula and an optional `;`.
fn single<'a>(input: SmvTokens<'a>, word: &'static str) -> SmvParseResult<'a, SmvItem> {
    let rest = input.skip();
    let constraint = |kind| expression.map(move |e| SmvItem::Constraint(kind, e)).parse(rest);
    let property = |kind| {
        let named = opt(delimited(token("NAME"), name, token(":=")));
        pair(named, expression).map(move |(name, e)| SmvItem::Property(kind, name, e)).parse(rest)
    };
    let (rest, item) = match word {
        "INIT" => constraint(ConstraintKind::Init)?,
        "TRANS" => constraint(ConstraintKind::Trans)?,
        "INVAR" => constraint(ConstraintKind::Invar)?,
        "JUSTICE" | "FAIRNESS" => expression.map(SmvItem::Justice).parse(rest)?,
        "COMPASSION" => {
            let pairs = pair(terminated(expression, token(",")), expression);
            delimited(token("("), pairs, token(")")).map(|(p, q)| SmvItem::Compassion(p, q)).parse(rest)?
        }
        "INVARSPEC" => property(SmvPropertyKind::Invariant)?,
        "SPEC" | "CTLSPEC" => property(SmvPropertyKind::Ctl)?,
        "LTLSPEC" => property(SmvPropertyKind::Ltl)?,
        "ISA" => name.map(SmvItem::Isa).parse(rest)?,
        _ if IGNORED_SECTIONS.contains(&word) => {
            let after = next_section(rest);
            return Ok((after, SmvItem::Ignored(word, input.span_to(rest))));
        }
        _ => return input.unexpected(Expected::Thing(SECTION)),
    };
    if rest.at(";") {
        Ok((rest.skip(), item))
    } else if rest.at_end() || begins_section(rest) {
        Ok((rest, item))
    } else {
        rest.unexpected(Expected::Token(";"))
    }
}
