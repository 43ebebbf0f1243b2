//! The parser of Alice–Bob notation. It ends at the first mistake.

use super::tree::{AnbAction, AnbFile, AnbGoal, AnbGoalKind, AnbTerm, AnbTermKind};
use kit::diagnostics::{Diagnostic, Span};
use kit::parsing::{Lexed, MAX_NESTING, Name, Token, TokenKind};

type Read<T> = Result<T, Diagnostic>;

/// Reads a file.
pub fn parse(lexed: Lexed<'_>) -> Result<AnbFile, Vec<Diagnostic>> {
    if !lexed.mistakes.is_empty() {
        return Err(lexed.mistakes);
    }
    AnbParser { tokens: &lexed.tokens, at: 0, depth: 0 }.file().map_err(|mistake| vec![mistake])
}

struct AnbParser<'t> {
    tokens: &'t [Token<'t>],
    at: usize,
    /// How many brackets are open.
    depth: usize,
}

impl<'t> AnbParser<'t> {
    fn first(&self) -> &Token<'t> {
        &self.tokens[self.at]
    }

    /// True if the tokens that follow have these texts.
    fn is_at(&self, texts: &[&str]) -> bool {
        let tokens = self.tokens[self.at..].iter().filter(|token| token.kind != TokenKind::End);
        tokens.map(|token| token.text).take(texts.len()).eq(texts.iter().copied())
    }

    fn skip(&mut self) -> Span {
        let span = self.first().span;
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        span
    }

    fn takes(&mut self, text: &str) -> bool {
        let is_there = self.is_at(&[text]);
        if is_there {
            self.skip();
        }
        is_there
    }

    fn mistake<T>(&self, message: impl Into<String>, help: &str) -> Read<T> {
        Err(Diagnostic::error(self.first().span, message).with_help(help))
    }

    fn unexpected<T>(&self, expected: &str, help: &str) -> Read<T> {
        let found = match self.first().kind {
            TokenKind::End => "the end of the file".to_owned(),
            _ => format!("`{}`", self.first().text),
        };
        self.mistake(format!("expected {expected}, found {found}"), help)
    }

    fn expect(&mut self, text: &str, help: &str) -> Read<Span> {
        match self.is_at(&[text]) {
            true => Ok(self.skip()),
            false => self.unexpected(&format!("`{text}`"), help),
        }
    }

    fn name(&mut self, what: &str) -> Read<Name> {
        let Token { kind, text, span, .. } = *self.first();
        match kind {
            TokenKind::Name => {
                self.skip();
                Ok(Name { text: text.to_owned(), span })
            }
            _ => self.unexpected(what, "names are made of letters, digits and `_`"),
        }
    }

    fn section(&mut self, name: &str) -> Read<()> {
        const ORDER: &str =
            "a file has `Protocol:`, `Types:`, `Knowledge:`, `Actions:` and `Goals:`, in this order";
        self.expect(name, ORDER)?;
        self.expect(":", ORDER)?;
        Ok(())
    }

    fn file(&mut self) -> Read<AnbFile> {
        self.section("Protocol")?;
        let name = self.name("the name of the protocol")?;
        self.section("Types")?;
        let types = self.types()?;
        self.section("Knowledge")?;
        let knowledge = self.knowledge()?;
        let mut differ = Vec::new();
        if self.takes("where") {
            loop {
                let one = self.name("an agent")?;
                self.expect("!=", "`where` says which agents differ: `where A!=B`")?;
                differ.push((one, self.name("an agent")?));
                if !self.takes(",") && !self.takes("&") {
                    break;
                }
            }
            self.takes(";");
        }
        self.section("Actions")?;
        let mut actions = Vec::new();
        while !self.is_at(&["Goals"]) && !self.is_at(&["Abstraction"]) {
            actions.push(self.action()?);
        }
        if self.is_at(&["Abstraction"]) {
            return self.mistake("`Abstraction` is not supported", "leave this section out");
        }
        self.section("Goals")?;
        let mut goals = Vec::new();
        while self.first().kind != TokenKind::End {
            self.goal(&mut goals)?;
            self.takes(";");
        }
        Ok(AnbFile { name, types, knowledge, differ, actions, goals })
    }

    fn types(&mut self) -> Read<Vec<(Name, Name)>> {
        let mut types = Vec::new();
        while !self.is_at(&["Knowledge", ":"]) {
            let ty = self.name("a type or `Knowledge:`")?;
            loop {
                types.push((self.name("a name of this type")?, ty.clone()));
                if !self.takes(",") {
                    break;
                }
            }
            if !self.takes(";") && !self.is_at(&["Knowledge", ":"]) {
                self.unexpected("`,` or `;`", "a type is followed by its names: `Number NA, NB;`")?;
            }
        }
        Ok(types)
    }

    fn knowledge(&mut self) -> Read<Vec<(Name, Vec<AnbTerm>)>> {
        let mut knowledge = Vec::new();
        while !self.is_at(&["where"]) && !self.is_at(&["Actions", ":"]) {
            let agent = self.name("an agent, `where` or `Actions:`")?;
            self.expect(":", "an agent is followed by the terms that it knows: `A: A,B,pk(B);`")?;
            knowledge.push((agent, self.terms()?));
            self.takes(";");
        }
        Ok(knowledge)
    }

    /// An agent of an action or a goal.
    fn agent(&mut self) -> Read<Name> {
        if self.is_at(&["["]) {
            let help = "write the agent without brackets";
            return self.mistake("pseudonyms of agents are not supported", help);
        }
        self.name("an agent")
    }

    fn action(&mut self) -> Read<AnbAction> {
        let from = self.agent()?;
        let channel = ["->", "*->", "->*", "*->*"].into_iter().find(|sign| self.is_at(&[sign]));
        match channel {
            Some("->") => self.skip(),
            Some(channel) => {
                let help = "send the message with `->`, encrypted or signed";
                return self.mistake(format!("the channel `{channel}` is not supported"), help);
            }
            None => return self.unexpected("`->`", "an action is `A->B: M`"),
        };
        let to = self.agent()?;
        self.expect(":", "an action is `A->B: M`")?;
        let from_here = self.first().span;
        let terms = self.terms()?;
        self.takes(";");
        Ok(AnbAction { from, to, content: AnbTerm::tuple(terms, from_here) })
    }

    fn goal(&mut self, goals: &mut Vec<AnbGoal>) -> Read<()> {
        const GOALS: &str = "goals are `M secret between A,B`, `B authenticates A on M` and `A *->* B: M`";
        let span = self.first().span;
        let first = self.terms()?;
        let agent = |terms: &[AnbTerm]| match terms {
            [AnbTerm { kind: AnbTermKind::Name(text), span }] => {
                Some(Name { text: text.clone(), span: *span })
            }
            _ => None,
        };
        if self.is_at(&["guessable"]) {
            return self.mistake("guessable secrets are not supported", "leave out the goal");
        }
        if self.takes("secret") {
            self.expect("between", GOALS)?;
            let mut between = vec![self.agent()?];
            while self.takes(",") {
                between.push(self.agent()?);
            }
            let content = AnbTerm::tuple(first, span);
            goals.push(AnbGoal { kind: AnbGoalKind::Secret(between), content, span });
            return Ok(());
        }
        let Some(one) = agent(&first) else {
            return self.unexpected("`secret between`", GOALS);
        };
        let is_injective = !self.takes("weakly");
        if self.takes("authenticates") {
            let of = self.agent()?;
            self.expect("on", GOALS)?;
            let at = self.first().span;
            let content = AnbTerm::tuple(self.terms()?, at);
            goals.push(AnbGoal {
                kind: AnbGoalKind::Authentic { agent: one, of, is_injective },
                content,
                span,
            });
            return Ok(());
        }
        let channel = ["*->*", "*->", "->*"].into_iter().find(|sign| self.is_at(&[sign]));
        let Some(channel) = channel else {
            return self.unexpected("`authenticates`, `weakly authenticates` or a channel", GOALS);
        };
        self.skip();
        let other = self.agent()?;
        self.expect(":", GOALS)?;
        let at = self.first().span;
        let content = AnbTerm::tuple(self.terms()?, at);
        if channel.starts_with('*') {
            let kind = AnbGoalKind::Authentic { agent: other.clone(), of: one.clone(), is_injective };
            goals.push(AnbGoal { kind, content: content.clone(), span });
        }
        if channel.ends_with('*') {
            goals.push(AnbGoal { kind: AnbGoalKind::Secret(vec![one, other]), content, span });
        }
        Ok(())
    }

    fn terms(&mut self) -> Read<Vec<AnbTerm>> {
        let mut terms = vec![self.term()?];
        while self.takes(",") {
            terms.push(self.term()?);
        }
        Ok(terms)
    }

    /// Terms up to a bracket, as one.
    fn inside(&mut self, close: &str) -> Read<AnbTerm> {
        if self.depth >= MAX_NESTING {
            let message = format!("nested more than {MAX_NESTING} levels deep");
            return self.mistake(message, "send parts of it in messages of their own");
        }
        self.depth += 1;
        let span = self.first().span;
        let terms = self.terms()?;
        self.expect(close, "a bracket is not closed")?;
        self.depth -= 1;
        Ok(AnbTerm::tuple(terms, span))
    }

    fn term(&mut self) -> Read<AnbTerm> {
        let span = self.first().span;
        let kind = if self.takes("(") {
            self.inside(")")?.kind
        } else if self.takes("{|") {
            let body = self.inside("|}")?;
            AnbTermKind::Symmetric(Box::new([body, self.term_as_key()?]))
        } else if self.takes("{") {
            let body = self.inside("}")?;
            AnbTermKind::Asymmetric(Box::new([body, self.term_as_key()?]))
        } else {
            let name = self.name("a term")?;
            match self.takes("(") {
                true => self.applied(name)?,
                false => AnbTermKind::Name(name.text),
            }
        };
        Ok(AnbTerm { kind, span })
    }

    fn term_as_key(&mut self) -> Read<AnbTerm> {
        match self.first().kind {
            TokenKind::Name | TokenKind::Sign("(") => self.term(),
            _ => self.unexpected("a key", "encrypted terms are `{M}K` and `{|M|}K`"),
        }
    }

    fn applied(&mut self, function: Name) -> Read<AnbTermKind> {
        if function.text == "xor" {
            let message = "`xor` is not supported";
            return Err(
                Diagnostic::error(function.span, message).with_help("describe the protocol without it")
            );
        }
        let arguments = self.inside(")")?;
        Ok(match function.text.as_str() {
            "inv" => AnbTermKind::Inverse(Box::new(arguments)),
            "exp" => match &arguments.kind {
                AnbTermKind::Tuple(parts) if parts.len() == 2 => {
                    AnbTerm::power(parts[0].clone(), parts[1].clone(), function.span).kind
                }
                _ => {
                    let message = "`exp` takes a base and an exponent";
                    return Err(Diagnostic::error(function.span, message).with_help("write `exp(g,X)`"));
                }
            },
            _ => AnbTermKind::Apply(
                function.text,
                match arguments.kind {
                    AnbTermKind::Tuple(parts) => parts,
                    _ => vec![arguments],
                },
            ),
        })
    }
}
