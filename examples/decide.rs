//! An invariant for traces of every length, and a property of branching time: `cargo run --release --example decide`.

use cladist::budget::Budget;
use cladist::ctl::formula_of_property;
use cladist::{decide, model};

fn main() -> Result<(), decide::NoDecision> {
    let budget = Budget::unlimited();
    let ring = model::load("specs/token_ring.sts".as_ref(), &[]).model.expect("a model without mistakes");
    let invariant = ring.properties.iter().find_map(|property| property.invariant()).expect("an invariant");
    let decided = decide::invariant(&ring, invariant, &Default::default(), &budget, &mut ());
    println!("the token is unique: {}", matches!(decided, decide::InvariantResult::Proved(_)));

    let transfer = model::load("specs/reliable_data_transfer.sts".as_ref(), &[])
        .model
        .expect("a model without mistakes");
    let liveness = &transfer.properties[transfer.property("liveness").expect("a property of the model")];
    let formula = formula_of_property(&transfer, liveness).expect("a formula of CTL");
    let decided = decide::branching(&transfer, &formula, &Default::default(), &budget)?;
    println!("every message arrives: {:?}", decided.verdict);
    Ok(())
}
