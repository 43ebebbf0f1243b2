//! Decisive steps of models: what is lost agrees with the reference semantics, and with published attacks.

use crate::lts_common;

use cladist::budget::Budget;
use cladist::explore::{Labelling, StateSpace, reachable, with_fates};
use cladist::lts::decisive::{DecisiveLabel, FateCounts, decisive_labels};
use cladist::lts::{LabelId, Lts};
use cladist::model::eval::eval_state;
use cladist::model::value::Moment;
use cladist::model::{Environment, Model, load};
use std::path::Path;

fn specs() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/specs"))
}

fn model(path: &Path) -> Model {
    load(path, &[]).model.unwrap_or_else(|| panic!("{} has mistakes", path.display()))
}

/// A model with the fates of its states.
struct Decided {
    lts: Lts,
    states: FateCounts,
    decisive: Vec<DecisiveLabel>,
}

impl Decided {
    fn new(model: &Model, property: &str, environment: Option<&str>) -> Self {
        let budget = Budget::unlimited();
        let invariant = model.properties[model.property(property).expect("a property")].invariant();
        let invariant = invariant.expect("an invariant");
        let space = StateSpace::of(model, usize::MAX, &budget);
        let labelling = Labelling { arguments: true, visible: vec![true; model.actions.len()] };
        let environment =
            environment.map(|text| Environment::parse(model, text).expect("steps of the model"));
        let (lts, fates) = with_fates(model, space, invariant, environment.as_ref(), &labelling, &budget)
            .expect("no limit")
            .expect("told apart");
        let decisive = decisive_labels(&lts, &fates, &budget).expect("no limit");
        Self { states: fates.count(lts.state_ids()), lts, decisive }
    }

    fn names(&self, labels: impl Iterator<Item = LabelId>) -> Vec<String> {
        labels.map(|label| self.lts.labels().text(label).into_owned()).collect()
    }

    fn decisive(&self) -> Vec<String> {
        let mut names = self.names(self.decisive.iter().map(|found| found.label));
        names.sort();
        names
    }

    /// What could have been done wherever a decisive step with this label is.
    fn always(&self, label: &str) -> Vec<String> {
        let mut of = self.decisive.iter().filter(|found| self.names([found.label].into_iter()) == [label]);
        self.names(of.next().expect("a decisive label").always.iter().copied())
    }
}

/// Lowe's repair belongs where Alice finishes her run with Eve: before, Eve cannot get Nb by herself; after it, she can.
#[test]
fn needham_schroeder_is_decided_by_the_last_message() {
    let model = model(&specs().join("ns_public_key.sts"));
    let found = Decided::new(&model, "secrecy", Some("learn,resend,forge,forge_answer"));
    assert_eq!(found.states, FateCounts { lost: 111, safe: 1313, open: 73 });
    assert_eq!(found.decisive(), ["finish(b=Eve,n=Nb)"]);
}

/// Swallowing a smaller id would have been right.
#[test]
fn the_ring_is_decided_by_a_smaller_id_that_is_forwarded() {
    let Some(data) = lts_common::data() else { return };
    let model = model(&data.join("models/ring_election.sts"));
    let found = Decided::new(&model, "one_leader", None);
    assert_eq!(found.states, FateCounts { lost: 120, safe: 5, open: 55 });
    assert_eq!(found.decisive(), ["forward(n=3,i=1)", "forward(n=3,i=2)"]);
    assert_eq!(found.always("forward(n=3,i=1)"), ["swallow(n=3,i=1)"]);
    assert_eq!(found.always("forward(n=3,i=2)"), ["swallow(n=3,i=2)"]);
}

/// Once the victim is logged in, Mallory needs nobody.
#[test]
fn the_web_shop_is_decided_by_the_login_of_the_victim() {
    let Some(data) = lts_common::data() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let at = |path: &str| folder.path().join(path);
    for path in ["models", "predicates"] {
        std::fs::create_dir(at(path)).expect("a folder");
    }
    std::fs::copy(data.join("models/web_shop.sts"), at("models/web_shop.sts")).expect("copied");
    let library = specs().join("../predicates/knowledge.pred");
    std::fs::copy(library, at("predicates/knowledge.pred")).expect("copied");
    let model = model(&at("models/web_shop.sts"));
    let mallory = "xss, forged_pay, steal_pay, visit(u=Mallory), log_in(u = Mallory), log_out(u=Mallory)";
    let found = Decided::new(&model, "consent", Some(mallory));
    let logins = ["Sa", "Sb", "Sc"].map(|s| format!("log_in(u=Victim,s={s},t={s})"));
    assert_eq!(found.decisive(), logins);
}

/// Compiled formulas say of each state what the reference semantics says.
#[test]
fn violating_states_are_those_of_the_reference_semantics() {
    let budget = Budget::unlimited();
    for name in
        ["mutex.sts", "ns_public_key.sts", "token_ring.sts", "tcp_handshake.sts", "traffic_lights.sts"]
    {
        let path = specs().join(name);
        let model = model(&path);
        let states = reachable(&model, usize::MAX, &budget).states;
        let space = StateSpace::of(&model, usize::MAX, &budget);
        for invariant in model.properties.iter().filter_map(|property| property.invariant()) {
            let found = space.violating(invariant, &budget).expect("no limit");
            for (number, state) in states.iter().enumerate() {
                let moment = Moment { label: None, state: state.clone() };
                let holds = eval_state(&model, invariant, &moment).is_true();
                assert_eq!(found.has(number), !holds, "{name}: state {number}");
            }
        }
    }
}

#[test]
fn steps_that_a_model_does_not_have_are_mistakes() {
    let model = model(&specs().join("ns_public_key.sts"));
    let said = |text: &str| Environment::parse(&model, text).expect_err("a mistake").to_string();
    for (text, expected) in [
        ("learns", "model ns_public_key has no action `learns`: did you mean `learn`?"),
        ("", "model ns_public_key has no action ``: its actions are start, answer"),
        ("learn(m=Na)", "action `learn` has no parameter `m`: its parameters are n"),
        ("learn(n=Nx)", "`Nx` is not a value of parameter `n` of `learn`: did you mean"),
        ("conclude(n=Na)", "action `conclude` has no parameter `n`: it has no parameters"),
        ("learn(n=Na", "`learn(n=Na` has no closing parenthesis"),
        ("learn(Na)", "`Na` in `learn(…)` is not an argument"),
    ] {
        assert!(said(text).starts_with(expected), "{text}: {}", said(text));
    }
    let names = Environment::parse(&model, " learn( n = Na ) , resend").expect("right").names(&model);
    assert_eq!(names, ["learn(n=Na)", "resend"]);
}
