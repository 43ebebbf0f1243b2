//! The parser: [`kit::parsing`] with the tokens of Promela, and recovery after every mistake.

mod expressions;
mod statements;

use super::lexicon::UNIT_WORDS;
use super::preprocessor::{self, PromelaFiles};
use super::tree::{
    Initial, Name, ProcessType, ProctypeRole, ProgramUnit, PromelaDeclaration, PromelaExpr, PromelaExprKind,
    PromelaText, TypeName,
};
use expressions::{NAME, expression, formula};
use kit::diagnostics::Diagnostic;
use kit::parsing::{self, Expected, Token, TokenKind, separated, token};
use nom::Parser;
use nom::combinator::opt;
use nom::sequence::{delimited, preceded};
use statements::statements;
use std::collections::HashSet;

/// The tokens not yet read.
type PromelaTokens<'a> = parsing::Tokens<'a, Token<'a>, Promela>;
/// The result of a parser.
type PromelaParsed<'a, O> = parsing::Parsed<'a, Token<'a>, Promela, O>;

/// The language of Promela.
#[derive(Debug, Default)]
struct Promela {
    /// The names of the types of processes, which `p:x` and `p@l` begin with.
    processes: HashSet<String>,
}

impl<'t> parsing::Grammar<Token<'t>> for Promela {
    const WHOLE: &'static str = "program";
    const TOO_DEEP: &'static str = "put the inner parts into processes of their own";
    const TOO_LONG: &'static str = "put parts of it into variables";

    fn help(token: &Token<'t>, expected: &[Expected], _: Option<&Token<'t>>) -> Option<String> {
        let wanted = |thing| expected.contains(&Expected::Thing(thing));
        Some(match token.kind {
            TokenKind::Number(None) => "this number does not fit in a 64-bit integer".to_owned(),
            TokenKind::Foreign => "numbers are decimal".to_owned(),
            TokenKind::Sign("=") => {
                "equality is `==`, and an assignment is a statement of its own".to_owned()
            }
            TokenKind::Word(_) if wanted(NAME) => "this is a keyword and cannot be used as a name".to_owned(),
            TokenKind::Sign("?") => "a condition is `(c -> a : b)`".to_owned(),
            TokenKind::Sign("}") if expected.contains(&Expected::Token("fi")) => {
                "close `if` with `fi`".to_owned()
            }
            TokenKind::Sign("}") if expected.contains(&Expected::Token("od")) => {
                "close `do` with `od`".to_owned()
            }
            _ => return None,
        })
    }

    fn ends_brackets(input: parsing::Tokens<'_, Token<'t>, Self>) -> bool {
        begins_unit(input) || input.at(";")
    }
}

fn begins_unit(input: PromelaTokens<'_>) -> bool {
    matches!(input.first().kind, TokenKind::Word(word) if UNIT_WORDS.contains(&word))
}

fn name(input: PromelaTokens<'_>) -> PromelaParsed<'_, Name> {
    parsing::name(input, NAME)
}

/// Reads a program. Never fails: parts that could not be read are left out of the tree, and every mistake has a diagnostic, in the
/// order of the text.
pub fn parse(texts: &PromelaFiles) -> (PromelaText, Vec<Diagnostic>) {
    let (tokens, mistakes) = preprocessor::tokens(texts);
    let named =
        tokens.iter().zip(tokens.iter().skip(1)).filter(|(word, _)| word.kind == TokenKind::Word("proctype"));
    let processes = named.map(|(_, name)| name.text.to_owned()).collect();
    let state = parsing::ParserState::new(&tokens, Promela { processes }, mistakes);
    let mut program = PromelaText::default();
    let mut rest = state.tokens_from(0);
    if rest.at_end() {
        state.report(rest.fail(Expected::Thing("a process")), None);
    }
    while !rest.at_end() {
        match unit(rest) {
            Ok((after, found)) => {
                program.units.extend(found);
                rest = after;
            }
            Err(failure) => {
                let mistake = state.report(failure, None);
                rest = if mistake.position() > rest.position() { mistake } else { rest.skip() };
                while !rest.at_end() && !begins_unit(rest) {
                    rest = rest.skip();
                }
            }
        }
    }
    (program, state.into_diagnostics())
}

fn unit(input: PromelaTokens<'_>) -> PromelaParsed<'_, Option<ProgramUnit>> {
    let after = input.skip();
    let some = |(rest, unit)| (rest, Some(unit));
    match input.first().kind {
        TokenKind::Sign(";" | "->") => Ok((after, None)),
        TokenKind::Word("active" | "proctype" | "D_proctype") => proctype(input).map(some),
        TokenKind::Word("init") => {
            let (rest, ()) = priority(after)?;
            let start = Name { text: "init".to_owned(), span: input.first().span };
            let (rest, (body, end)) = body(rest)?;
            let role = ProctypeRole::Init;
            Ok(some((
                rest,
                ProgramUnit::Process(ProcessType {
                    name: start,
                    role,
                    params: vec![],
                    provided: None,
                    body,
                    end,
                }),
            )))
        }
        TokenKind::Word("never") => {
            let (rest, own) = opt(name).parse(after)?;
            let (rest, (body, end)) = body(rest)?;
            let name = own.unwrap_or(Name { text: "never".to_owned(), span: input.first().span });
            let role = ProctypeRole::Never;
            Ok(some((
                rest,
                ProgramUnit::Process(ProcessType { name, role, params: vec![], provided: None, body, end }),
            )))
        }
        TokenKind::Word("typedef") => {
            let (rest, name) = name(after)?;
            let (mut rest, _) = token("{").parse(rest)?;
            let mut fields = Vec::new();
            while !rest.at("}") {
                let (after, more) = declarations(rest)?;
                fields.extend(more);
                rest = if after.at(";") { after.skip() } else { after };
            }
            Ok((rest.skip(), Some(ProgramUnit::Typedef { name, fields })))
        }
        TokenKind::Word("ltl") => {
            let (rest, name) = opt(name).parse(after)?;
            let (rest, formula) =
                delimited(token("{"), formula, (opt(token(";")), token("}"))).parse(rest)?;
            Ok((rest, Some(ProgramUnit::Formula { name, formula })))
        }
        TokenKind::Word("mtype") if is_message_list(after) => messages(after).map(some),
        TokenKind::Word(word @ ("c_code" | "c_decl" | "c_state" | "c_track")) => {
            Err(input.mistake(format!("`{word}` is not supported"), "rewrite the C code in Promela"))
        }
        TokenKind::Word(word @ ("trace" | "notrace")) => {
            Err(input.mistake(format!("`{word}` is not supported"), "write an `ltl` formula about variables"))
        }
        _ if begins_declaration(input) => {
            let (rest, all) = declarations(input)?;
            Ok((rest, Some(ProgramUnit::Variables(all))))
        }
        _ => input.unexpected(Expected::Thing("a process, a declaration or `ltl`")),
    }
}

/// `= { … }`, `{ … }` or `: set = { … }`
fn is_message_list(input: PromelaTokens<'_>) -> bool {
    let input = if input.at(":") { input.skip().skip() } else { input };
    input.at("{") || input.at("=")
}

fn messages(input: PromelaTokens<'_>) -> PromelaParsed<'_, ProgramUnit> {
    let (rest, set) = opt(preceded(token(":"), name)).parse(input)?;
    let (rest, _) = opt(token("=")).parse(rest)?;
    let (mut rest, _) = token("{").parse(rest)?;
    let mut names = Vec::new();
    while !rest.at("}") {
        let (after, own) = name(rest)?;
        names.push(own);
        rest = if after.at(",") { after.skip() } else { after };
    }
    Ok((rest.skip(), ProgramUnit::Messages { set, names }))
}

fn proctype(input: PromelaTokens<'_>) -> PromelaParsed<'_, ProgramUnit> {
    let (rest, active) = match input.at("active") {
        false => (input, None),
        true => {
            let (rest, number) = opt(delimited(token("["), expression, token("]"))).parse(input.skip())?;
            let one = PromelaExpr { kind: PromelaExprKind::Number(1), span: input.first().span };
            (rest, Some(number.unwrap_or(one)))
        }
    };
    let (rest, _) = nom::branch::alt((token("proctype"), token("D_proctype"))).parse(rest)?;
    let (rest, name) = name(rest)?;
    let (mut rest, _) = token("(").parse(rest)?;
    let mut params = Vec::new();
    while !rest.at(")") {
        let (after, more) = declarations(rest)?;
        params.extend(more);
        rest = if after.at(";") { after.skip() } else { token(")").parse(after).map(|_| after)? };
    }
    let (rest, ()) = priority(rest.skip())?;
    let (rest, provided) =
        opt(preceded(token("provided"), delimited(token("("), expression, token(")")))).parse(rest)?;
    let (rest, (body, end)) = body(rest)?;
    Ok((
        rest,
        ProgramUnit::Process(ProcessType {
            name,
            role: ProctypeRole::Proctype { active },
            params,
            provided,
            body,
            end,
        }),
    ))
}

fn priority(input: PromelaTokens<'_>) -> PromelaParsed<'_, ()> {
    match input.at("priority") {
        true => Err(input.mistake("priorities are not read", "use `provided` to say when a process may run")),
        false => Ok((input, ())),
    }
}

fn body(
    input: PromelaTokens<'_>,
) -> PromelaParsed<'_, (Vec<super::tree::PromelaStmt>, kit::diagnostics::Span)> {
    let (rest, _) = token("{").parse(input)?;
    let (rest, all) = statements(rest)?;
    let (rest, close) = token("}").parse(rest)?;
    Ok((rest, (all, close.span)))
}

/// True for a type, or two names in a row.
fn begins_declaration(input: PromelaTokens<'_>) -> bool {
    let words = [
        "bit", "bool", "byte", "short", "int", "unsigned", "pid", "mtype", "chan", "hidden", "show", "local",
    ];
    words.iter().any(|word| input.at(word))
        || input.first().kind == TokenKind::Name && input.peek(1).kind == TokenKind::Name
}

/// `type a = 1, b[3]`
fn declarations(input: PromelaTokens<'_>) -> PromelaParsed<'_, Vec<PromelaDeclaration>> {
    let visible = |input: PromelaTokens<'_>| ["hidden", "show", "local"].iter().any(|word| input.at(word));
    let (rest, ty) = type_name(if visible(input) { input.skip() } else { input })?;
    separated(",", |input| declared(input, &ty))(rest)
}

fn type_name(input: PromelaTokens<'_>) -> PromelaParsed<'_, TypeName> {
    let rest = input.skip();
    Ok(match input.first().kind {
        TokenKind::Word("bit") => (rest, TypeName::Bit),
        TokenKind::Word("bool") => (rest, TypeName::Bool),
        TokenKind::Word("byte" | "pid") => (rest, TypeName::Byte),
        TokenKind::Word("short") => (rest, TypeName::Short),
        TokenKind::Word("int") => (rest, TypeName::Int),
        TokenKind::Word("unsigned") => (rest, TypeName::Unsigned),
        TokenKind::Word("chan") => (rest, TypeName::Channel),
        TokenKind::Word("mtype") => {
            let (rest, set) = opt(preceded(token(":"), name)).parse(rest)?;
            (rest, TypeName::Message(set.map(|name| name.text)))
        }
        TokenKind::Name => (rest, TypeName::Defined(input.first().text.to_owned())),
        _ => return input.unexpected(Expected::Thing("a type")),
    })
}

fn declared<'a>(input: PromelaTokens<'a>, ty: &TypeName) -> PromelaParsed<'a, PromelaDeclaration> {
    let (rest, name) = name(input)?;
    let (mut rest, mut width) = (rest, None);
    if rest.at(":") {
        let number = rest.skip();
        let TokenKind::Number(Some(bits @ 1..=31)) = number.first().kind else {
            return Err(number.mistake("a number of bits is between 1 and 31", "write `unsigned x : 3`"));
        };
        (rest, width) = (number.skip(), u32::try_from(bits).ok());
    }
    let (rest, size) = opt(delimited(token("["), expression, token("]"))).parse(rest)?;
    let made = |initial| PromelaDeclaration { ty: ty.clone(), name, width, size, initial };
    if !rest.at("=") {
        return Ok((rest, made(Initial::None)));
    }
    let rest = rest.skip();
    if rest.at("{") {
        let (rest, all) = delimited(token("{"), separated(",", expression), token("}")).parse(rest)?;
        return Ok((rest, made(Initial::Values(all))));
    }
    if rest.at("[") {
        let (rest, capacity) = delimited(token("["), expression, token("]")).parse(rest)?;
        let (rest, _) = token("of").parse(rest)?;
        let (rest, message) = delimited(token("{"), separated(",", type_name), token("}")).parse(rest)?;
        return Ok((rest, made(Initial::Channel { capacity, message })));
    }
    let (rest, value) = expression(rest)?;
    Ok((rest, made(Initial::Value(value))))
}
