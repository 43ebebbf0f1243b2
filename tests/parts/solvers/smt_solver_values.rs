//! Tests of `solvers::smt_solver::values`.

use solvers::smt_solver::values::*;

fn symbol(name: &str, sort: SymbolSort) -> ScriptSymbol {
    ScriptSymbol { name: name.to_owned(), sort }
}

#[test]
fn values_of_all_sorts() {
    let symbols = [
        symbol("a b@1", SymbolSort::Bool),
        symbol("n@1", SymbolSort::Int),
        symbol("m", SymbolSort::Int),
        symbol("x", SymbolSort::Bits(4)),
        symbol("y", SymbolSort::Bits(8)),
        symbol("z", SymbolSort::Bits(3)),
    ];
    let answer = "((|a b@1| true)\n (n@1 (- 12)) (|m| 7)\n (x #b1111) (y #x7f) (z (_ bv5 3)))\n";
    assert_eq!(read(answer, &symbols), Some(vec![1, -12, 7, -1, 127, -3]));
    assert_eq!(get_value(&symbols[..2]), "(get-value (|a b@1| |n@1|))\n");
    assert_eq!(read("((|a b@1| true))", &symbols), None);
    assert_eq!(read("(error \"no model\")", &symbols), None);
    assert_eq!(read("((x #b10000))", &symbols[3..4]), None);
}
