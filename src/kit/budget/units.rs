//! The notation of limits: `10s`, `5m`, `500M`, `2G`.

use crate::number::rounded;
use std::time::Duration;

/// Reads a duration: a decimal number of seconds, or one with the unit `ms`, `s`, `m`, `min` or `h`.
///
/// # Errors
/// Advice on the notation, if the text is not a duration or is too long a time.
pub fn parse_duration(text: &str) -> Result<Duration, String> {
    let wrong = || "write seconds, or a number with ms, s, m or h: 90, 10s, 5m, 1h".to_owned();
    let (number, unit) = split_unit(text);
    let number: f64 = number.parse().map_err(|_| wrong())?;
    let factor = match unit {
        "" | "s" => 1.0,
        "ms" => 0.001,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err(wrong()),
    };
    Duration::try_from_secs_f64(number * factor).map_err(|_| wrong())
}

/// Reads a number of bytes: a decimal number with the unit B, K, M, G or T (powers of 1024), in either case,
/// also as `MB` or `MiB`. A bare number is rejected, because it could mean bytes or megabytes.
///
/// # Errors
/// Advice on the notation.
pub fn parse_bytes(text: &str) -> Result<u64, String> {
    let wrong = || "write a number with K, M, G or T: 500M, 2G".to_owned();
    let (number, unit) = split_unit(text);
    let amount: f64 = number.parse().map_err(|_| wrong())?;
    let unit = unit.to_uppercase();
    if unit.is_empty() {
        return Err(format!("give a unit: {number}M, {number}G, or {number}B for bytes"));
    }
    let power = match unit.strip_suffix("IB").or(unit.strip_suffix('B')).unwrap_or(&unit) {
        "" => 0,
        "K" => 1,
        "M" => 2,
        "G" => 3,
        "T" => 4,
        _ => return Err(wrong()),
    };
    Ok(rounded((amount * 1024f64.powi(power)).floor()).max(0).cast_unsigned())
}

/// Returns a number of bytes as [`parse_bytes`] reads it, in the largest unit that needs no fraction: `2G`, `1000B`.
pub fn bytes_text(bytes: u64) -> String {
    const UNITS: [&str; 5] = ["B", "K", "M", "G", "T"];
    let mut power = 0;
    while power + 1 < UNITS.len() && bytes > 0 && bytes.is_multiple_of(1 << (10 * (power + 1))) {
        power += 1;
    }
    format!("{}{}", bytes >> (10 * power), UNITS[power])
}

/// Splits a text into the digits at the beginning and the rest without spaces.
fn split_unit(text: &str) -> (&str, &str) {
    let text = text.trim();
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    (&text[..end], text[end..].trim_start())
}
