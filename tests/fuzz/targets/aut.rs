//! Any bytes are an AUT file or are refused with reasons; what is read is written and read again unchanged.

#![no_main]

use cladist::budget::Budget;
use cladist::lts::aut::{ReadOptions, ReadError, read, write};
use cladist::lts::{Lts, StateId, LtsTransition};
use libfuzzer_sys::fuzz_target;

fn system(bytes: &[u8], lenient: bool) -> Option<Lts> {
    match read(bytes, "input", ReadOptions { lenient, ..ReadOptions::default() }, &Budget::unlimited()) {
        Ok(lts) => Some(lts),
        Err(ReadError::Mistakes(found, _)) => {
            assert!(!found.is_empty(), "refused without a reason");
            None
        }
        Err(ReadError::Exhausted(why)) => panic!("{why:?}, and there is no limit"),
    }
}

fn transitions(lts: &Lts) -> Vec<(StateId, Vec<u8>, StateId)> {
    let named = |edge: LtsTransition| (edge.from, lts.labels().get(edge.label).to_vec(), edge.to);
    let mut all: Vec<_> = lts.all_transitions().map(named).collect();
    all.sort_unstable();
    all
}

fuzz_target!(|bytes: &[u8]| {
    let strict = system(bytes, false);
    let lenient = system(bytes, true);
    let Some(lts) = strict else { return };
    let lenient = lenient.expect("what is read strictly is read leniently, too");
    assert_eq!(transitions(&lenient), transitions(&lts));
    let mut text = Vec::new();
    write(&lts, &mut text).expect("to memory");
    let again = system(&text, false).expect("what was written is read");
    assert_eq!((again.initial(), again.states()), (lts.initial(), lts.states()));
    assert_eq!(transitions(&again), transitions(&lts));
});
