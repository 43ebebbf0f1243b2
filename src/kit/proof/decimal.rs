//! Numbers as text: the formatting of the standard library takes longer than the solver on short proofs.

/// Appends a number and a space.
pub fn push_decimal(text: &mut Vec<u8>, number: i64) {
    let mut digits = [0; 20];
    let mut begin = digits.len();
    let mut rest = number.unsigned_abs();
    loop {
        begin -= 1;
        digits[begin] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    if number < 0 {
        text.push(b'-');
    }
    text.extend_from_slice(&digits[begin..]);
    text.push(b' ');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_as_the_standard_library_writes_them() {
        let mut text = Vec::new();
        let numbers = [0, 7, -1, 10, -905, i64::MAX, i64::MIN];
        numbers.iter().for_each(|&number| push_decimal(&mut text, number));
        let expected: String = numbers.iter().map(|number| format!("{number} ")).collect();
        assert_eq!(String::from_utf8(text).unwrap(), expected);
    }
}
