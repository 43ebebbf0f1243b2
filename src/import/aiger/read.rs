//! Reads circuits, in ASCII and binary.

use super::circuit::{AigerCircuit, AigerSource, Latch, Literal};
use kit::number::to_u32;
use std::collections::BTreeMap;
use std::fmt;

/// The greatest number of variables of a circuit.
const MOST_VARIABLES: usize = 1_000_000;

/// An error in a file, with its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Malformed {
    /// The line, from 1; `None` in the binary part.
    pub line: Option<usize>,
    /// The byte, from 0.
    pub byte: usize,
    /// The cause.
    pub cause: String,
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "line {line}: {}", self.cause),
            None => write!(f, "byte {}: {}", self.byte, self.cause),
        }
    }
}

type AigerResult<T> = Result<T, Malformed>;

/// Reads a circuit.
///
/// # Errors
/// If the bytes are no circuit, with the first place that shows this.
pub fn read(bytes: &[u8]) -> AigerResult<AigerCircuit> {
    let mut reader = AigerReader { bytes, at: 0, line: 1 };
    let header = reader.header()?;
    let mut circuit = reader.sections(&header)?;
    reader.symbols(&mut circuit)?;
    Ok(circuit)
}

/// The numbers of the header line.
struct AigerHeader {
    is_binary: bool,
    most: usize,
    inputs: usize,
    latches: usize,
    outputs: usize,
    and_gates: usize,
    bad: usize,
    constraints: usize,
    justice: usize,
    fairness: usize,
}

struct AigerReader<'b> {
    bytes: &'b [u8],
    at: usize,
    line: usize,
}

impl<'b> AigerReader<'b> {
    fn wrong(&self, cause: impl Into<String>) -> Malformed {
        Malformed { line: Some(self.line), byte: self.at, cause: cause.into() }
    }

    /// Returns the next line, without its end.
    fn text(&mut self) -> AigerResult<&'b [u8]> {
        let rest = &self.bytes[self.at..];
        if rest.is_empty() {
            return Err(self.wrong("the file ends too early"));
        }
        let end = rest.iter().position(|&byte| byte == b'\n');
        let line = &rest[..end.unwrap_or(rest.len())];
        self.at += end.map_or(rest.len(), |end| end + 1);
        Ok(line.strip_suffix(b"\r").unwrap_or(line))
    }

    /// Returns the numbers of the next line, at least `least` and at most `most` of them.
    fn numbers(&mut self, least: usize, most: usize, what: &str) -> AigerResult<Vec<usize>> {
        let line = self.text()?;
        let number = |word: &[u8]| -> Option<usize> {
            let is_plain = !word.is_empty() && word.iter().all(u8::is_ascii_digit);
            std::str::from_utf8(word).ok().filter(|_| is_plain)?.parse().ok()
        };
        let found: Option<Vec<usize>> = line.split(|&byte| byte == b' ').map(number).collect();
        match found {
            Some(numbers) if (least..=most).contains(&numbers.len()) => {
                self.line += 1;
                Ok(numbers)
            }
            _ => Err(self.wrong(format!(
                "expected {what}, found `{}`",
                kit::diagnostics::printable(&String::from_utf8_lossy(line))
            ))),
        }
    }

    fn header(&mut self) -> AigerResult<AigerHeader> {
        let line = self.text()?;
        let text = String::from_utf8_lossy(line).into_owned();
        let mut words = text.split(' ');
        let is_binary = match words.next() {
            Some("aag") => false,
            Some("aig") => true,
            _ => return Err(self.wrong("a file in AIGER begins with `aag` or `aig`")),
        };
        let numbers: Option<Vec<usize>> = words.map(|word| word.parse().ok()).collect();
        let numbers = numbers.filter(|numbers| (5..=9).contains(&numbers.len()));
        let Some(numbers) = numbers else {
            return Err(self.wrong("expected the numbers `M I L O A`, and perhaps `B C J F`"));
        };
        let number = |index: usize| numbers.get(index).copied().unwrap_or(0);
        let header = AigerHeader {
            is_binary,
            most: number(0),
            inputs: number(1),
            latches: number(2),
            outputs: number(3),
            and_gates: number(4),
            bad: number(5),
            constraints: number(6),
            justice: number(7),
            fairness: number(8),
        };
        if let Some(large) = numbers.iter().find(|number| **number > MOST_VARIABLES) {
            return Err(self.wrong(format!("{large} is more than {MOST_VARIABLES}, the most that is read")));
        }
        let sum = header.inputs + header.latches + header.and_gates;
        if header.most < sum || is_binary && header.most != sum {
            let relation = if is_binary { "has to be" } else { "is less than" };
            let cause = format!("the greatest variable, {}, {relation} I + L + A = {sum}", header.most);
            return Err(self.wrong(cause));
        }
        self.line += 1;
        Ok(header)
    }

    fn literal(&self, number: usize, header: &AigerHeader) -> AigerResult<Literal> {
        match u32::try_from(number) {
            Ok(literal) if number / 2 <= header.most => Ok(Literal(literal)),
            _ => Err(self.wrong(format!("the literal {number} is of no variable up to {}", header.most))),
        }
    }

    /// Reads a list of literals, one on each line.
    fn literals(&mut self, count: usize, header: &AigerHeader) -> AigerResult<Vec<Literal>> {
        let mut list = Vec::new();
        for _ in 0..count {
            let found = self.numbers(1, 1, "a literal")?[0];
            list.push(self.earlier(|reader| reader.literal(found, header))?);
        }
        Ok(list)
    }

    /// Runs a check, with errors placed on the last line read.
    fn earlier<T>(&mut self, check: impl FnOnce(&Self) -> AigerResult<T>) -> AigerResult<T> {
        self.line -= 1;
        let result = check(self);
        self.line += 1;
        result
    }

    fn sections(&mut self, header: &AigerHeader) -> AigerResult<AigerCircuit> {
        let mut gates: Vec<Option<AigerSource>> = vec![None; header.most + 1];
        gates[0] = Some(AigerSource::False);
        let mut inputs = Vec::new();
        for number in 0..header.inputs {
            let literal = match header.is_binary {
                true => 2 * (number + 1),
                false => self.numbers(1, 1, "the literal of an input")?[0],
            };
            let variable =
                self.defined(literal, AigerSource::Input(number), &mut gates, header, header.is_binary)?;
            inputs.push(variable);
        }
        let mut latches = Vec::new();
        for number in 0..header.latches {
            let (own, given) = match header.is_binary {
                true => (2 * (header.inputs + number + 1), self.numbers(1, 2, "a latch: NEXT [RESET]")?),
                false => {
                    let mut found = self.numbers(2, 3, "a latch: LATCH NEXT [RESET]")?;
                    (found.remove(0), found)
                }
            };
            self.defined(own, AigerSource::Latch(number), &mut gates, header, false)?;
            let reset = match given.get(1) {
                None | Some(0) => Some(false),
                Some(1) => Some(true),
                Some(same) if *same == own => None,
                Some(other) => {
                    let cause = format!("a latch begins with 0, 1 or itself, not with {other}");
                    return self.earlier(|reader| Err(reader.wrong(cause)));
                }
            };
            let next = self.earlier(|reader| reader.literal(given[0], header))?;
            latches.push(Latch { next, reset });
        }
        let outputs = self.literals(header.outputs, header)?;
        let bad = self.literals(header.bad, header)?;
        let constraints = self.literals(header.constraints, header)?;
        let mut sizes = Vec::new();
        for _ in 0..header.justice {
            sizes.push(self.numbers(1, 1, "the number of literals of a justice property")?[0]);
        }
        let mut justice = Vec::new();
        for size in sizes {
            justice.push(self.literals(size, header)?);
        }
        let fairness = self.literals(header.fairness, header)?;
        let mut and_gates = Vec::new();
        for number in 0..header.and_gates {
            let variable = match header.is_binary {
                true => self.binary_gate(header.inputs + header.latches + number + 1, &mut gates)?,
                false => self.gate(&mut gates, header)?,
            };
            and_gates.push((variable, self.line - 1));
        }
        let mut circuit = AigerCircuit {
            gates,
            order: Vec::new(),
            inputs,
            latches,
            outputs,
            bad,
            constraints,
            justice,
            fairness,
            symbols: BTreeMap::new(),
        };
        self.check_defined(&circuit, &and_gates)?;
        circuit.order = self.ordered(&circuit, &and_gates)?;
        Ok(circuit)
    }

    /// Defines a variable; the literal is the one that a line defines.
    fn defined(
        &mut self,
        literal: usize,
        gate: AigerSource,
        gates: &mut [Option<AigerSource>],
        header: &AigerHeader,
        is_implicit: bool,
    ) -> AigerResult<usize> {
        let check = |reader: &Self| {
            let found = reader.literal(literal, header)?;
            match gates[found.variable()] {
                _ if found.is_negated() || found.variable() == 0 => {
                    Err(reader.wrong(format!("{literal} is not the literal of a variable")))
                }
                Some(_) => Err(reader.wrong(format!("the variable of {literal} is defined twice"))),
                None => Ok(found.variable()),
            }
        };
        let variable = if is_implicit { check(self)? } else { self.earlier(check)? };
        gates[variable] = Some(gate);
        Ok(variable)
    }

    fn gate(&mut self, gates: &mut [Option<AigerSource>], header: &AigerHeader) -> AigerResult<usize> {
        let found = self.numbers(3, 3, "an and-gate: GATE LITERAL LITERAL")?;
        let [a, b] = [found[1], found[2]];
        let a = self.earlier(|reader| reader.literal(a, header))?;
        let b = self.earlier(|reader| reader.literal(b, header))?;
        self.defined(found[0], AigerSource::And(a, b), gates, header, false)
    }

    /// Reads an and-gate in binary: two differences of literals.
    fn binary_gate(&mut self, variable: usize, gates: &mut [Option<AigerSource>]) -> AigerResult<usize> {
        let own = 2 * variable;
        let mut before = own;
        let mut read = [0; 2];
        for (index, literal) in read.iter_mut().enumerate() {
            let (byte, difference) = (self.at, self.difference()?);
            let is_right = difference <= before && (index > 0 || difference > 0);
            if !is_right {
                let cause = format!("the difference {difference} is none of the and-gate {own}");
                return Err(Malformed { line: None, byte, cause });
            }
            before -= difference;
            *literal = to_u32(before);
        }
        gates[variable] = Some(AigerSource::And(Literal(read[0]), Literal(read[1])));
        Ok(variable)
    }

    /// Reads a number in groups of seven bits, the lowest first; all but the last have their eighth bit set.
    fn difference(&mut self) -> AigerResult<usize> {
        let (start, mut number) = (self.at, 0usize);
        for group in 0..5 {
            let byte = self.bytes.get(self.at).copied();
            let Some(byte) = byte else {
                return Err(Malformed { line: None, byte: start, cause: "the file ends too early".into() });
            };
            self.at += 1;
            number |= usize::from(byte & 0x7f) << (7 * group);
            if byte & 0x80 == 0 {
                return Ok(number);
            }
        }
        Err(Malformed { line: None, byte: start, cause: "a number of more than 35 bits".into() })
    }

    /// Checks that every variable used is defined; the and-gates come with their lines. In binary, all variables are defined.
    fn check_defined(&self, circuit: &AigerCircuit, and_gates: &[(usize, usize)]) -> AigerResult<()> {
        let AigerCircuit { outputs, bad, constraints, justice, fairness, .. } = circuit;
        let next = circuit.latches.iter().map(|latch| latch.next);
        let before = next.chain([outputs, bad, constraints].into_iter().flatten().copied());
        let after = justice.iter().flatten().chain(fairness).copied();
        // The first line is the header, and the sizes of justice properties have lines of their own.
        let first = 2 + circuit.inputs.len();
        let sizes = first + before.clone().count();
        let listed = (first..).zip(before).chain((sizes + justice.len()..).zip(after));
        let gates = and_gates.iter().flat_map(|&(variable, line)| match circuit.gates[variable] {
            Some(AigerSource::And(a, b)) => vec![(line, a), (line, b)],
            _ => Vec::new(),
        });
        match listed.chain(gates).find(|(_, literal)| circuit.gates[literal.variable()].is_none()) {
            Some((line, literal)) => Err(Malformed {
                line: Some(line),
                byte: self.at,
                cause: format!("the literal {} is used but not defined", literal.0),
            }),
            None => Ok(()),
        }
    }

    /// Sorts the and-gates, each after those that it reads; they come with their lines.
    fn ordered(&self, circuit: &AigerCircuit, and_gates: &[(usize, usize)]) -> AigerResult<Vec<usize>> {
        #[derive(Clone, Copy, PartialEq)]
        enum Visit {
            No,
            Open,
            Done,
        }
        let mut visits = vec![Visit::No; circuit.gates.len()];
        let mut order = Vec::new();
        for &(root, _) in and_gates {
            let mut open = vec![root];
            while let Some(&variable) = open.last() {
                let Some(AigerSource::And(a, b)) = circuit.gates[variable] else {
                    open.pop();
                    continue;
                };
                if visits[variable] == Visit::No {
                    visits[variable] = Visit::Open;
                    for read in [b, a].map(Literal::variable) {
                        match visits[read] {
                            Visit::No => open.push(read),
                            Visit::Open => {
                                let line = and_gates.iter().find(|gate| gate.0 == read).map(|gate| gate.1);
                                let cause = format!("the and-gate {} reads itself", 2 * read);
                                return Err(Malformed { line, byte: self.at, cause });
                            }
                            Visit::Done => {}
                        }
                    }
                } else {
                    open.pop();
                    if visits[variable] == Visit::Open {
                        visits[variable] = Visit::Done;
                        order.push(variable);
                    }
                }
            }
        }
        Ok(order)
    }

    /// Reads the symbol table, up to the comments.
    fn symbols(&mut self, circuit: &mut AigerCircuit) -> AigerResult<()> {
        while self.at < self.bytes.len() {
            let line = self.text()?;
            if line == b"c" {
                break;
            }
            let text = String::from_utf8_lossy(line);
            let known = text.split_once(' ').and_then(|(place, name)| {
                let letter = *place.as_bytes().first()?;
                let number: usize = place.get(1..)?.parse().ok()?;
                Some((letter, number, name.to_owned()))
            });
            let Some((letter, number, name)) = known.filter(|(_, _, name)| !name.is_empty()) else {
                let shown = kit::diagnostics::printable(&text).into_owned();
                return Err(
                    self.wrong(format!("expected a symbol such as `i0 NAME`, or `c`, found `{shown}`"))
                );
            };
            let count = match letter {
                b'i' => circuit.inputs.len(),
                b'l' => circuit.latches.len(),
                b'o' => circuit.outputs.len(),
                b'b' => circuit.bad.len(),
                b'c' => circuit.constraints.len(),
                b'j' => circuit.justice.len(),
                b'f' => circuit.fairness.len(),
                _ => 0,
            };
            if number >= count {
                return Err(self.wrong(format!("there is no `{}{number}` that has a name", letter as char)));
            }
            circuit.symbols.entry((letter, number)).or_insert(name);
            self.line += 1;
        }
        Ok(())
    }
}
