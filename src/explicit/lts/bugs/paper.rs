//! Algorithm 1 of the paper, literally: dummies that leave faulty states, whatever the reason for these.

use super::marked::{Marked, Meaning};
use super::result::Verdict;
use crate::lts::safety::{Analysis, AnalysisError, Incorrect};
use kit::budget::Budget;

pub fn verdicts(marked: &Marked, budget: &Budget) -> Result<Vec<Verdict>, AnalysisError> {
    let automaton = marked.seeing_dummies();
    let all = marked.only(|_| true);
    let with_all = Analysis::new(&all, &automaton, Incorrect::NoWayOut, budget)?;
    let mut leaves_faulty = vec![false; marked.meanings.len()];
    for position in with_all.violable().filter(|&p| !with_all.product.is_bad(p) && with_all.is_faulty(p)) {
        for (label, _) in with_all.product.after(position) {
            leaves_faulty[label.index()] = true;
        }
    }
    let mut found = Vec::new();
    for id in marked.ids() {
        let dummy = Meaning::Dummy(id);
        let chosen = marked.meanings.iter().zip(&leaves_faulty).any(|(m, faulty)| *faulty && *m == dummy);
        if !chosen {
            found.push(Verdict::None);
            continue;
        }
        let lts = marked.only(|meaning| *meaning != dummy);
        let analysis = Analysis::new(&lts, &automaton, Incorrect::NoWayOut, budget)?;
        let faulty = analysis.violable().any(|p| !analysis.product.is_bad(p) && analysis.is_faulty(p));
        found.push(if faulty { Verdict::Avoidable } else { Verdict::Inevitable });
    }
    Ok(found)
}
