//! Tests of `kit::diagnostics::first`.

use kit::diagnostics::*;

#[test]
fn errors_go_before_warnings_and_the_rest_is_counted() {
    let mut sources = SourceMap::new();
    let (a, b) = (sources.add("a.sts", "x"), sources.add("b.pred", "y"));
    let at = |source| Span::new(source, 0, 1);
    let mut all: Vec<Diagnostic> = (0..15).map(|_| Diagnostic::warning(at(a), "odd")).collect();
    all.extend((0..12).map(|n| Diagnostic::error(at(a), format!("wrong {n}"))));
    all.extend((0..23).map(|_| Diagnostic::error(at(b), "wrong")));
    all.push(Diagnostic::error_without_place("alone"));
    let shown = first_mistakes(all.clone(), &sources);
    let of = |source| shown.iter().filter(|d| d.span.is_some_and(|s| s.source == source)).count();
    assert_eq!((of(a), of(b), shown.len()), (20, 20, 43));
    assert_eq!(shown.iter().filter(|d| d.is_error()).count(), 12 + 20 + 1);
    let last: Vec<&str> = shown[40..].iter().map(|d| d.message.as_str()).collect();
    assert_eq!(last, ["alone", "7 more warnings in a.sts", "3 more errors in b.pred"]);
    assert_eq!(first_mistakes(all[..20].to_vec(), &sources), all[..20]);
}
