//! Tests of `report::view::finite`.

use crate::fixture;
use classify::Verdict;

use report::view::finite::*;

fn page(verdict: Verdict) -> String {
    let model = fixture::model();
    let rerun = "cladist classify '<toy>.sts'";
    let mut request = fixture::request(&model);
    (request.asked.file, request.asked.rerun) = ("<toy>.sts", rerun);
    result_view(&request, &fixture::classification(verdict)).page()
}

#[test]
fn the_page_is_complete_balanced_and_loads_nothing() {
    for (verdict, name, _) in fixture::verdicts() {
        let page = page(verdict);
        let tags = [
            "html", "main", "section", "table", "tr", "th", "td", "ul", "ol", "dl", "details", "div", "style",
        ];
        for tag in tags {
            let opened =
                page.matches(&format!("<{tag}>")).count() + page.matches(&format!("<{tag} ")).count();
            assert_eq!(opened, page.matches(&format!("</{tag}>")).count(), "{tag} in {name}");
        }
        for outside in ["src=", "<link", "@import", "url(", "http:", "https:"] {
            assert!(!page.contains(outside), "{outside} in {name}");
        }
        assert_eq!(page.matches("<script").count(), 1);
        assert!(page.contains("&lt;toy&gt;.sts") && !page.contains("<toy>"));
    }
}

#[test]
fn classes_are_listed_then_described_with_words_and_positions() {
    let page = page(Verdict::Complete);
    assert!(page.contains(
        "<tr><td class=\"number\">2</td><td class=\"number\">3</td>\
         <td><a href=\"#class-2\">∃ i, j ∈ [0..len(ρ)] : msgs.replay(i, j) ∧ sender@j = Eve ∧ i &lt; j</a></td></tr>"
    ));
    assert!(page.contains("<section id=\"class-2\">"));
    assert!(page.contains("<h3>A shortest counterexample of this class (3 steps)</h3>"));
    assert!(page.contains("data-fact=\"0\" data-steps=\"1 3\">msgs.replay(i, j): The attacker sends again"));
    assert!(page.contains("data-steps=\"1 3\">i before j</a>"));
    assert!(page.contains("data-fact=\"1\" data-steps=\"3\" data-places=\"sender\">at j, sender is Eve</a>"));
    assert!(page.contains(
        "<li class=\"violation\" id=\"class-2/step-3\" data-step=\"3\" data-set=\"0 Eve\n\
         1 {Alice, Eve}\n2 true\">\
         <a class=\"number\" href=\"#class-2/step-3\">3</a><span>j</span>\
         <div><b>send(a=Eve)</b> <strong>← violates safe</strong>"
    ));
}

#[test]
fn needed_facts_have_both_traces_beside_each_other() {
    let page = page(Verdict::Complete);
    assert!(page.contains(
        "<tr><td><i>2</i> idle</td><td class=\"nothing\">–</td></tr>\
         <tr><td><i>3</i> <em>j</em> send(a=Eve) <strong>← violates safe</strong></td><td><i>2</i> "
    ));
}
