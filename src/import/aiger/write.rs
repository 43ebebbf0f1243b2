//! Writes a circuit as a model in the specification language.
//!
//! A step of the model is a step of the circuit. Latches are variables. An input read only by the next values
//! of latches is a parameter of the step; one read by bad states, constraints, justice or fairness is a
//! variable, whose next value each step chooses.

use super::circuit::{AigerCircuit, AigerSource, Literal};
use crate::written;
use kit::diagnostics::TEXT_LIMIT;
use lang::syntax::NameSupply;
use std::cell::Cell;
use std::collections::{BTreeSet, HashMap};

/// The greatest height of a formula without names for gates in it.
const HIGHEST: usize = 12;

/// Writes a model; `shown` is the path of the circuit for messages, and `name` that of the model.
///
/// # Errors
/// If the circuit is too large for a text.
pub fn model_text(name: &str, shown: &str, circuit: &AigerCircuit) -> Result<String, String> {
    let mut names = NameSupply::new();
    let mut writer = CircuitWriter::new(circuit);
    let observed = writer.observed_inputs();
    let mut head = Vec::new();
    let mut init = Vec::new();
    for (number, latch) in circuit.latches.iter().enumerate() {
        let own = names.unused(circuit.symbol(b'l', number), &format!("l{number}"));
        head.push(format!("var {own} : bool;"));
        init.extend(latch.reset.map(|value| format!("{own} = {value};")));
        writer.texts.insert(AigerSource::Latch(number).key(), own);
    }
    let mut params = Vec::new();
    let mut assigned = Vec::new();
    for number in 0..circuit.inputs.len() {
        let own = names.unused(circuit.symbol(b'i', number), &format!("i{number}"));
        if observed.contains(&number) {
            head.push(format!("var {own} : bool;"));
            let next = names.unused(None, &format!("next_{own}"));
            assigned.push(format!("{own}' = {next};"));
            params.push(format!("{next}: bool"));
        } else {
            params.push(format!("{own}: bool"));
        }
        writer.texts.insert(AigerSource::Input(number).key(), own);
    }
    if head.is_empty() {
        // A model has a state.
        head.push(format!("var {} : bool;", names.unused(None, "nothing")));
    }
    let step = names.unused(None, "step");
    writer.name_properties(&mut names);
    writer.names = names.taken();
    let mut text = head;
    text.push(format!("init {{ {} }}", init.join(" ")));
    let nexts: Vec<Literal> = circuit.latches.iter().map(|latch| latch.next).collect();
    let GateFormulas { shared, values } = writer.formulas(&nexts);
    let mut body: Vec<String> =
        shared.into_iter().map(|(name, value)| format!("let {name} = {value};")).collect();
    for (number, value) in values.into_iter().enumerate() {
        let own = &writer.texts[&AigerSource::Latch(number).key()];
        if *own != value {
            body.push(format!("{own}' = {value};"));
        }
    }
    body.extend(assigned);
    text.push(format!("action {step}({}) {{ {} }}", params.join(", "), body.join(" ")));
    writer.demands(&mut text)?;
    written::model_text(name, shown, &text)
}

impl AigerSource {
    /// Returns the key of an input or a latch.
    fn key(self) -> (bool, usize) {
        match self {
            AigerSource::Input(number) => (true, number),
            AigerSource::Latch(number) => (false, number),
            AigerSource::False | AigerSource::And(..) => (false, usize::MAX),
        }
    }
}

struct CircuitWriter<'c> {
    circuit: &'c AigerCircuit,
    /// For each and-gate, its index in the order of the circuit.
    place: Vec<usize>,
    /// The number of bytes left for formulas.
    room: Cell<u64>,
    /// The names of inputs and latches.
    texts: HashMap<(bool, usize), String>,
    /// The names that gates must avoid.
    names: BTreeSet<String>,
    never: Vec<String>,
    /// The names of the justice properties.
    justice: Vec<String>,
}

struct GateFormulas {
    /// The gates with several uses: names and formulas, each after those that it reads.
    shared: Vec<(String, String)>,
    values: Vec<String>,
}

/// The formula of a gate, with its height.
type GateFormula = (String, usize);

impl<'c> CircuitWriter<'c> {
    fn new(circuit: &'c AigerCircuit) -> Self {
        let mut place = vec![0; circuit.gates.len()];
        circuit.order.iter().enumerate().for_each(|(index, &variable)| place[variable] = index);
        Self {
            circuit,
            place,
            room: Cell::new(TEXT_LIMIT),
            texts: HashMap::new(),
            names: BTreeSet::new(),
            never: Vec::new(),
            justice: Vec::new(),
        }
    }

    fn name_properties(&mut self, names: &mut NameSupply) {
        let circuit = self.circuit;
        let (letter, never) = circuit.never();
        let usual = if letter == b'b' { "bad" } else { "output" };
        let name = |number: usize| names.unused(circuit.symbol(letter, number), &format!("{usual}{number}"));
        self.never = (0..never.len()).map(name).collect();
        let name = |number: usize| names.unused(circuit.symbol(b'j', number), &format!("justice{number}"));
        self.justice = (0..circuit.justice.len()).map(name).collect();
    }

    /// Returns the inputs on which properties and constraints of states depend.
    fn observed_inputs(&self) -> BTreeSet<usize> {
        let circuit = self.circuit;
        let lists = [circuit.never().1, &circuit.constraints, &circuit.fairness];
        let roots = lists.into_iter().chain(circuit.justice.iter().map(Vec::as_slice)).flatten().copied();
        let cone = self.cone(roots);
        let gates = cone.iter().filter_map(|&variable| circuit.gates[variable]);
        gates
            .filter_map(|gate| if let AigerSource::Input(number) = gate { Some(number) } else { None })
            .collect()
    }

    /// Returns the variables that literals depend on within a step: their cone of influence.
    fn cone(&self, roots: impl Iterator<Item = Literal>) -> BTreeSet<usize> {
        let mut open: Vec<usize> = roots.map(Literal::variable).collect();
        let mut found = BTreeSet::new();
        while let Some(variable) = open.pop() {
            if found.insert(variable)
                && let Some(AigerSource::And(a, b)) = self.circuit.gates[variable]
            {
                open.extend([a.variable(), b.variable()]);
            }
        }
        found
    }

    fn formulas(&self, roots: &[Literal]) -> GateFormulas {
        let cone = self.cone(roots.iter().copied());
        let is_and = |variable: &usize| matches!(self.circuit.gates[*variable], Some(AigerSource::And(..)));
        let mut and_gates: Vec<usize> = cone.into_iter().filter(is_and).collect();
        and_gates.sort_unstable_by_key(|&variable| self.place[variable]);
        let mut uses: HashMap<usize, usize> = HashMap::new();
        let reads = and_gates.iter().filter_map(|&variable| match self.circuit.gates[variable] {
            Some(AigerSource::And(a, b)) => Some([a, b]),
            _ => None,
        });
        for literal in reads.flatten().chain(roots.iter().copied()) {
            *uses.entry(literal.variable()).or_default() += 1;
        }
        let mut shared = Vec::new();
        let mut written: HashMap<usize, GateFormula> = HashMap::new();
        for variable in and_gates {
            let Some(AigerSource::And(a, b)) = self.circuit.gates[variable] else { continue };
            let ((a, high), (b, higher)) = (self.literal(a, &written), self.literal(b, &written));
            let (text, height) = (format!("{a} and {b}"), high.max(higher) + 1);
            let is_shared = uses.get(&variable).is_some_and(|count| *count > 1) || height > HIGHEST;
            written.insert(
                variable,
                match is_shared {
                    true => {
                        let own = self.gate_name(variable);
                        shared.push((own.clone(), text));
                        (own, 0)
                    }
                    false => (format!("({text})"), height),
                },
            );
        }
        let values = roots.iter().map(|root| self.literal(*root, &written).0).collect();
        GateFormulas { shared, values }
    }

    /// Returns an unused name for a gate.
    fn gate_name(&self, variable: usize) -> String {
        let mut own = format!("g{variable}");
        while self.names.contains(&own) {
            own.push('_');
        }
        own
    }

    fn literal(&self, literal: Literal, written: &HashMap<usize, GateFormula>) -> GateFormula {
        let (text, height) = match self.circuit.gates[literal.variable()] {
            Some(gate @ (AigerSource::Input(_) | AigerSource::Latch(_))) => {
                (self.texts[&gate.key()].clone(), 0)
            }
            Some(AigerSource::And(..)) => written[&literal.variable()].clone(),
            Some(AigerSource::False) | None => return (literal.is_negated().to_string(), 0),
        };
        if literal.is_negated() { (format!("not {text}"), height) } else { (text, height) }
    }

    fn formula(&self, literal: Literal) -> Result<String, String> {
        let GateFormulas { shared, values } = self.formulas(&[literal]);
        let named: Vec<String> =
            shared.into_iter().map(|(name, value)| format!("{name} = {value}")).collect();
        let value = &values[0];
        let text =
            if named.is_empty() { value.clone() } else { format!("let {} in {value}", named.join(", ")) };
        let left = self.room.get().checked_sub(text.len() as u64);
        self.room.set(left.ok_or_else(|| format!("as a text it has more than {} MiB", TEXT_LIMIT >> 20))?);
        Ok(text)
    }

    /// Writes the constraints and the properties.
    fn demands(&self, text: &mut Vec<String>) -> Result<(), String> {
        let circuit = self.circuit;
        for constraint in &circuit.constraints {
            text.push(format!("assume {};", self.formula(*constraint)?));
        }
        for fair in &circuit.fairness {
            text.push(format!("fairness {};", self.formula(*fair)?));
        }
        for (name, bad) in self.never.iter().zip(circuit.never().1) {
            text.push(format!("invariant {name}: {};", self.formula(bad.negated())?));
        }
        for (name, justice) in self.justice.iter().zip(&circuit.justice) {
            let mut all = Vec::new();
            for literal in justice {
                all.push(format!("(always eventually ({}))", self.formula(*literal)?));
            }
            if all.is_empty() {
                all.push("(always eventually true)".to_owned());
            }
            text.push(format!("ltl {name}: not ({});", all.join(" and ")));
        }
        Ok(())
    }
}
