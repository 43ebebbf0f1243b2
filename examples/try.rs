use cladist::classify::*;
use cladist::*;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let over: Vec<(String,String)> = a.iter().skip(5).filter_map(|x| x.split_once('=').map(|(n,v)|(n.to_string(),v.to_string()))).collect();
    let l = model::load(std::path::Path::new(&a[1]), &over);
    for d in &l.diagnostics { eprint!("{}", diagnostics::render(d, &l.sources, false)); }
    let m = l.model.unwrap();
    let v = if a[2] == "-" { 0 } else { m.vocabulary(&a[2]).unwrap() };
    let b: sat::Backend = if a[4] == "v" { sat::Backend::Varisat } else { sat::Backend::Cadical };
    let o = Options { bound: a[3].parse().unwrap(), start_with: None, keep_redundant: false, max_classes: None, backend: b, check_backend: b };
    let r = classify::classify(&m, m.properties[0].invariant().unwrap(), &m.vocabularies[v], &o, &budget::Budget::unlimited(), &mut ());
    match &r.verdict { Verdict::TooWeak(w) => {
        println!("too weak");
        println!("cex: {}", w.counterexample.moments.iter().filter_map(|x| x.label.as_ref().map(|l| m.show_label(l))).collect::<Vec<_>>().join(" "));
        println!("acc: {} {:?}", w.accepting.moments.iter().filter_map(|x| x.label.as_ref().map(|l| m.show_label(l))).collect::<Vec<_>>().join(" "), w.positions);
    } other => println!("{other:?}") }
    for c in &r.classes {
        println!("{}\n    {}", c.constraint.show(&m), c.representative.moments.iter().filter_map(|x| x.label.as_ref().map(|l| m.show_label(l))).collect::<Vec<_>>().join(" "));
    }
    println!("{:?}", r.statistics);
}
