//! Types, channels, and the predefined functions of types.

use super::CalledFunction;
use super::{ProcessChecker, ProcessHead};
use crate::process::eval::ProcessEvaluator;
use crate::process::program::{
    BOOL, BehaviourOp, BuiltinOperation, NAT, ProcessConstructor, ProcessFunction, ProcessTypeKind, Slot,
    TypeId,
};
use crate::process::text::tree::{self, Parameter, ParameterMode, ProcessFile, ProcessName, Routine};
use crate::process::value::ProcessValue;
use kit::number::to_u32;
use std::rc::Rc;

/// The offers that a gate accepts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum GateChannel {
    Any,
    /// A declared channel: its name, and the types of offers that it accepts.
    Of(String, Rc<[Vec<TypeId>]>),
}

/// An interpretation of a name with a number of arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct CallSignature {
    pub parameters: Vec<TypeId>,
    pub result: TypeId,
    pub callee: Callee,
}

/// The entity that a name refers to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Callee {
    Constructor(u32),
    /// `nil`
    EmptyList,
    Function(usize),
    Operation(BuiltinOperation),
}

impl Callee {
    /// True if values are built with it, so that it may stand in patterns.
    pub fn is_constructor(&self) -> bool {
        matches!(self, Callee::Constructor(_) | Callee::EmptyList)
    }
}

/// Types of the language that are not supported.
const UNSUPPORTED: &[&str] = &["REAL", "CHAR", "RAW"];

/// The bounds of numbers by the pragmas that change them, with their defaults.
const BOUNDS: [(&str, i64); 4] = [("NAT_INF", 0), ("NAT_SUP", 255), ("INT_INF", -128), ("INT_SUP", 127)];

/// A function whose body is not checked yet.
pub(super) struct DeclaredFunction<'f> {
    pub index: usize,
    pub item: &'f Routine,
    pub parameters: Vec<TypeId>,
}

impl ProcessChecker {
    /// Declares all types of the files, with their constructors and predefined functions.
    pub(super) fn declare_types(&mut self, files: &[ProcessFile]) {
        let items: Vec<&tree::TypeItem> = files.iter().flat_map(|file| &file.types).collect();
        let mut own = Vec::new();
        for item in items {
            if self.type_names.contains_key(&item.name.key) {
                self.mistake(
                    item.name.span,
                    format!("the type {} is already defined", item.name.shown),
                    "rename one",
                );
                continue;
            }
            self.note(&item.name);
            let of = self.add_type(item.name.shown.clone(), ProcessTypeKind::Constructed(Vec::new()));
            self.type_names.insert(item.name.key.clone(), of);
            own.push((of, item));
        }
        // Those with a condition last: it is evaluated, with the functions of the others.
        let (conditional, others): (Vec<_>, Vec<_>) =
            own.iter().partition(|(_, item)| matches!(item.kind, tree::TypeSyntaxKind::Restricted { .. }));
        for (of, item) in &others {
            if let Some(kind) = self.type_kind(item) {
                self.types[of.index()].kind = kind;
            }
        }
        for (of, item) in &others {
            self.functions_of(*of);
            if let tree::TypeSyntaxKind::Array { low, .. } = &item.kind
                && let Some(low) = self.index(low)
            {
                self.functions_of_array(*of, low);
            }
        }
        for (of, item) in &conditional {
            if let Some(kind) = self.type_kind(item) {
                self.types[of.index()].kind = kind;
            }
            self.functions_of(*of);
        }
        own.iter().for_each(|(of, item)| self.aliases(*of, &item.aliases));
    }

    /// Declares the predefined types, and the operators on truth values.
    pub(super) fn predefined(&mut self, files: &[ProcessFile]) {
        let mut bounds = BOUNDS.map(|(_, usual)| usual);
        // The main file comes first in the list and takes precedence.
        for pragma in files.iter().rev().flat_map(|file| &file.pragmas) {
            if let Some(at) = BOUNDS.iter().position(|(name, _)| *name == pragma.name.key) {
                match pragma.number {
                    Some(number) => bounds[at] = number,
                    None => self.mistake(pragma.name.span, "a number is missing here", "write `!nat_sup 10`"),
                }
            }
        }
        let truth = |name: &str| ProcessConstructor { name: name.to_owned(), fields: Vec::new() };
        let [nat_inf, nat_sup, int_inf, int_sup] = bounds;
        for (name, kind) in [
            ("bool", ProcessTypeKind::Constructed(vec![truth("FALSE"), truth("TRUE")])),
            ("nat", ProcessTypeKind::Number { low: nat_inf, high: nat_sup, only: None }),
            ("int", ProcessTypeKind::Number { low: int_inf, high: int_sup, only: None }),
        ] {
            let of = self.add_type(name.to_owned(), kind);
            self.type_names.insert(name.to_ascii_uppercase(), of);
        }
        // A text may define a type of this name itself.
        if !files.iter().flat_map(|file| &file.types).any(|item| item.name.key == "STRING") {
            let of = self.add_type("string".to_owned(), ProcessTypeKind::Text);
            self.type_names.insert("STRING".to_owned(), of);
        }
        self.type_ids().for_each(|of| self.functions_of(of));
        for (name, operation) in [
            ("AND", BuiltinOperation::And),
            ("OR", BuiltinOperation::Or),
            ("XOR", BuiltinOperation::Xor),
            ("IMPLIES", BuiltinOperation::Implies),
        ] {
            self.operation(name, &[BOOL, BOOL], BOOL, operation);
        }
        self.operation("NOT", &[BOOL], BOOL, BuiltinOperation::Not);
    }

    /// The type with a name. If it may belong to a definition that could not be read, it is an unknown type; `None` after a
    /// mistake.
    pub(super) fn type_of(&mut self, name: &ProcessName) -> Option<TypeId> {
        if let Some(&of) = self.type_names.get(&name.key) {
            return Some(of);
        }
        if UNSUPPORTED.contains(&name.key.as_str()) {
            let message = format!("the type {} is not supported", name.shown);
            self.mistake(
                name.span,
                message,
                "use bool, nat, int, string, ranges, enumerations, records, lists or arrays",
            );
            return None;
        }
        let known: Vec<String> = self.type_names.keys().cloned().collect();
        let known: Vec<&str> = known.iter().map(String::as_str).collect();
        self.unknown(name, "type", &known, "define it: `type T is A, B end type`");
        Some(self.vague_type(name))
    }

    fn type_kind(&mut self, item: &tree::TypeItem) -> Option<ProcessTypeKind> {
        match &item.kind {
            tree::TypeSyntaxKind::Constructed(items) => {
                let mut constructors: Vec<ProcessConstructor> = Vec::new();
                for constructor in items {
                    self.note(&constructor.name);
                    let fields = self.fields(&constructor.fields)?;
                    let types =
                        |c: &ProcessConstructor| c.fields.iter().map(|(_, of)| *of).collect::<Vec<_>>();
                    let fresh = ProcessConstructor { name: constructor.name.key.clone(), fields };
                    if constructors.iter().any(|c| c.name == fresh.name && types(c) == types(&fresh)) {
                        let message =
                            format!("the constructor {} is already defined", constructor.name.shown);
                        self.mistake(constructor.name.span, message, "rename one");
                    }
                    constructors.push(fresh);
                }
                Some(ProcessTypeKind::Constructed(constructors))
            }
            tree::TypeSyntaxKind::Restricted { variable, condition } => self.restricted(variable, condition),
            tree::TypeSyntaxKind::Array { low, high, of } => {
                let of = self.type_of(of)?;
                let (low, high) = (self.index(low)?, self.index(high)?);
                self.array(&item.name, low, high, of)
            }
            tree::TypeSyntaxKind::List { of, sorted, set } => {
                Some(ProcessTypeKind::List { of: self.type_of(of)?, sorted: *sorted, set: *set })
            }
            tree::TypeSyntaxKind::Range { low, high, of } => {
                let base = self.type_of(of)?;
                if self.is_vague(base) {
                    return None;
                }
                if !matches!(self.types[base.index()].kind, ProcessTypeKind::Number { .. }) {
                    self.mistake(
                        of.span,
                        "the base type of a range must be a number type",
                        "write `range 0 .. 7 of nat`",
                    );
                    return None;
                }
                let (low, high) = (self.constant(low, base)?, self.constant(high, base)?);
                if low > high {
                    let message = format!("the range {low} .. {high} is empty");
                    self.mistake(item.name.span, message, "write the lower bound first");
                    return None;
                }
                Some(ProcessTypeKind::Number { low, high, only: None })
            }
        }
    }

    pub(super) fn constant(&mut self, expr: &tree::ExprSyntax, of: TypeId) -> Option<i64> {
        let expr = self.typed(expr, Some(of), &[])?;
        match ProcessEvaluator::new(&self.only_types(), self.budget.clone()).value(&expr, &[]) {
            Ok(ProcessValue::Number(number)) => Some(number),
            Ok(_) => None,
            Err(failure) => {
                self.failed(failure, "the bounds of a range must be numbers");
                None
            }
        }
    }

    fn fields(&mut self, parameters: &[Parameter]) -> Option<Vec<(String, TypeId)>> {
        let fields: Vec<Option<(String, TypeId)>> =
            parameters.iter().map(|field| Some((field.name.key.clone(), self.type_of(&field.of)?))).collect();
        fields.into_iter().collect()
    }

    pub(super) fn signature(&mut self, name: &str, parameters: &[TypeId], result: TypeId, callee: Callee) {
        let signature = CallSignature { parameters: parameters.to_vec(), result, callee };
        self.signatures.entry((name.to_owned(), parameters.len())).or_default().push(signature);
    }

    pub(super) fn operation(
        &mut self,
        name: &str,
        parameters: &[TypeId],
        result: TypeId,
        operation: BuiltinOperation,
    ) {
        self.signature(name, parameters, result, Callee::Operation(operation));
    }

    /// Declares the predefined functions of a type: all of them, whatever its `with` clause lists.
    fn functions_of(&mut self, of: TypeId) {
        use BuiltinOperation as O;
        for (name, operation) in [
            ("==", O::Equal),
            ("!=", O::Different),
            ("<", O::Less),
            ("<=", O::LessOrEqual),
            (">", O::Greater),
            (">=", O::GreaterOrEqual),
        ] {
            self.operation(name, &[of, of], BOOL, operation);
        }
        match self.types[of.index()].kind.clone() {
            ProcessTypeKind::Number { .. } => self.functions_of_numbers(of),
            ProcessTypeKind::Text => {}
            ProcessTypeKind::List { of: element, .. } => self.functions_of_lists(of, element),
            ProcessTypeKind::Constructed(constructors) => {
                let mut names: Vec<(String, TypeId)> = Vec::new();
                for (index, constructor) in constructors.iter().enumerate() {
                    let types: Vec<TypeId> = constructor.fields.iter().map(|(_, of)| *of).collect();
                    self.signature(&constructor.name, &types, of, Callee::Constructor(to_u32(index)));
                    names.extend(constructor.fields.iter().filter(|(name, _)| !name.is_empty()).cloned());
                }
                names.sort();
                names.dedup();
                for (name, field) in names {
                    let place =
                        |c: &ProcessConstructor| c.fields.iter().position(|(n, t)| *n == name && *t == field);
                    let places: Rc<[Option<usize>]> = constructors.iter().map(place).collect();
                    self.operation(&format!("GET_{name}"), &[of], field, O::Get(places.clone()));
                    self.operation(&format!("SET_{name}"), &[of, field], of, O::Set(places));
                }
            }
        }
    }

    fn functions_of_numbers(&mut self, of: TypeId) {
        use BuiltinOperation as O;
        for (name, operation) in [
            ("+", O::Add),
            ("-", O::Subtract),
            ("*", O::Multiply),
            ("/", O::Divide),
            ("DIV", O::Divide),
            ("MOD", O::Modulo),
            ("REM", O::Remainder),
            ("^", O::Power),
            ("MIN", O::Minimum),
            ("MAX", O::Maximum),
        ] {
            self.operation(name, &[of, of], of, operation);
        }
        self.operation("-", &[of], of, O::Negate);
        // The name of a number type converts numbers to that type.
        let numbers = |t: &TypeId| matches!(self.types[t.index()].kind, ProcessTypeKind::Number { .. });
        let others: Vec<TypeId> = self.type_ids().filter(numbers).collect();
        for other in others {
            let [own, its] = [of, other].map(|of| self.types[of.index()].name.to_ascii_uppercase());
            for (name, from, to) in [(own, other, of), (its, of, other)] {
                let callee = Callee::Operation(O::Convert);
                let signature = CallSignature { parameters: vec![from], result: to, callee };
                let known = self.signatures.entry((name, 1)).or_default();
                if !known.contains(&signature) {
                    known.push(signature);
                }
            }
        }
    }

    fn functions_of_lists(&mut self, of: TypeId, element: TypeId) {
        use BuiltinOperation as O;
        for (name, parameters, result, operation) in [
            ("CONS", vec![element, of], of, O::Cons),
            ("INSERT", vec![element, of], of, O::Cons),
            ("APPEND", vec![element, of], of, O::Append),
            ("LENGTH", vec![of], NAT, O::Length),
            ("ELEMENT", vec![of, NAT], element, O::Element),
            ("ACCESS", vec![of, NAT], element, O::Element),
            ("MEMBER", vec![element, of], BOOL, O::Member),
            ("EMPTY", vec![of], BOOL, O::IsEmpty),
            ("HEAD", vec![of], element, O::Head),
            ("TAIL", vec![of], of, O::Tail),
            ("REMOVE", vec![element, of], of, O::Remove),
            ("UNION", vec![of, of], of, O::Union),
            ("INTER", vec![of, of], of, O::Intersection),
            ("DIFF", vec![of, of], of, O::Difference),
            ("MINUS", vec![of, of], of, O::Difference),
            ("REVERSE", vec![of], of, O::Reverse),
        ] {
            self.operation(name, &parameters, result, operation);
        }
        // The empty list is also called `nil`: a list of no elements.
        self.signature("NIL", &[], of, Callee::EmptyList);
    }

    pub(super) fn declare_channels(&mut self, files: &[ProcessFile]) {
        self.channels.insert("ANY".to_owned(), GateChannel::Any);
        let none: Rc<[Vec<TypeId>]> = Rc::from([Vec::new()]);
        self.channels.insert("NONE".to_owned(), GateChannel::Of("none".to_owned(), none));
        for item in files.iter().flat_map(|file| &file.channels) {
            let mut profiles = Vec::new();
            for profile in &item.profiles {
                let types: Vec<Option<TypeId>> = profile.iter().map(|name| self.type_of(name)).collect();
                profiles.extend(types.into_iter().collect::<Option<Vec<_>>>());
            }
            self.note(&item.name);
            let channel = GateChannel::Of(item.name.shown.clone(), profiles.into());
            if self.channels.insert(item.name.key.clone(), channel).is_some() {
                let message = format!("the channel {} is already defined", item.name.shown);
                self.mistake(item.name.span, message, "rename one");
            }
        }
    }

    /// The channel with a name; after a mistake, one that accepts any offers.
    pub(super) fn channel(&mut self, name: &ProcessName) -> GateChannel {
        if let Some(channel) = self.channels.get(&name.key) {
            return channel.clone();
        }
        let known: Vec<String> = self.channels.keys().cloned().collect();
        let known: Vec<&str> = known.iter().map(String::as_str).collect();
        self.unknown(name, "channel", &known, "define it: `channel C is (nat) end channel`; or use `any`");
        GateChannel::Any
    }

    /// Declares a function, so that others can call it before its body is checked.
    pub(super) fn declare_function<'f>(&mut self, item: &'f Routine) -> Option<DeclaredFunction<'f>> {
        let parameters: Vec<Option<TypeId>> =
            item.parameters.iter().map(|parameter| self.type_of(&parameter.of)).collect();
        let result = match &item.result {
            Some(name) => Some(self.type_of(name)?),
            None => None,
        };
        let parameters: Vec<TypeId> = parameters.into_iter().collect::<Option<_>>()?;
        self.note(&item.name);
        let index = self.functions.len();
        let modes = item.parameters.iter().map(|parameter| parameter.mode);
        let own = CalledFunction {
            key: item.name.key.clone(),
            index,
            parameters: parameters.iter().copied().zip(modes).collect(),
            result,
        };
        let same = |other: &CalledFunction| {
            (&other.key, &other.parameters, other.result) == (&own.key, &own.parameters, own.result)
        };
        let twice = self.called.iter().any(same);
        let outs = own.parameters.iter().enumerate().filter(|(_, (_, mode))| *mode != ParameterMode::In);
        let outs: Box<[Slot]> = outs.map(|(at, _)| Slot::new(at)).collect();
        self.called.push(own);
        if let (Some(result), []) = (result, &outs[..]) {
            let known = self.signatures.entry((item.name.key.clone(), parameters.len())).or_default();
            // Functions of the text hide predefined ones.
            let hides = |s: &CallSignature| s.parameters == parameters && s.result == result;
            known.retain(|s| !hides(s) || s.callee.is_constructor());
            known.push(CallSignature {
                parameters: parameters.clone(),
                result,
                callee: Callee::Function(index),
            });
        }
        if twice {
            let message = format!("the function {} with these types is already defined", item.name.shown);
            self.mistake(item.name.span, message, "rename one");
        }
        let body = self.push(BehaviourOp::Null, item.name.span);
        self.functions.push(ProcessFunction {
            name: item.name.shown.clone(),
            parameters: parameters.len(),
            result,
            outs,
            slots: parameters.len(),
            body,
            span: item.name.span,
        });
        Some(DeclaredFunction { index, item, parameters })
    }

    /// Declares a process, so that others can call it before its body is checked.
    pub(super) fn declare_process(&mut self, item: &Routine) {
        if self.heads.iter().any(|head| head.name.key == item.name.key) {
            let message = format!("the process {} is already defined", item.name.shown);
            self.mistake(item.name.span, message, "rename one");
        }
        self.note(&item.name);
        item.gates.iter().for_each(|gate| self.note(&gate.name));
        let gates = item.gates.iter().map(|gate| (gate.name.clone(), self.channel(&gate.of))).collect();
        let parameters: Vec<Option<TypeId>> =
            item.parameters.iter().map(|parameter| self.type_of(&parameter.of)).collect();
        // A wrong type was reported; checking continues with any other one.
        let modes = item.parameters.iter().map(|parameter| parameter.mode);
        let parameters = parameters.into_iter().map(|of| of.unwrap_or(BOOL)).zip(modes).collect();
        self.heads.push(ProcessHead { name: item.name.clone(), gates, parameters });
    }
}
