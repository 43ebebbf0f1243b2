//! Digits in groups of three.

/// `1234567` as `1,234,567`.
pub fn thousands(number: impl ToString) -> String {
    grouped(&number.to_string())
}

/// `1 clause`, `1,200 clauses`.
pub fn counted<N: PartialEq + From<u8> + ToString>(number: N, noun: &str) -> String {
    if number == N::from(1) { format!("1 {noun}") } else { format!("{} {noun}s", thousands(number)) }
}

/// `1234567` as `1,234,567`.
pub fn grouped(digits: &str) -> String {
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
