//! Files line by line, within a budget.

use super::line::AutFault;
use super::mistakes::Mistakes;
use super::packing::{Packing, ZstdFrames};
use kit::budget::{Budget, Exhausted, Stage};
use kit::diagnostics::Diagnostic;
use std::io::{self, BufRead, BufReader, ErrorKind};

/// The size of the read buffer in bytes.
const PIECE: usize = 1 << 18;

/// The number of pieces between two checks of the budget.
const PATIENCE: usize = 8;

/// The maximum length of a line in bytes; longer ones are not text.
const LONGEST_LINE: usize = 1 << 24;

/// A consumer of the lines of a file.
pub trait LineConsumer {
    /// Takes the next line, without its end.
    fn line(&mut self, text: &[u8]);

    /// True if more lines are of no use.
    fn is_enough(&self) -> bool;

    /// The number of lines so far.
    fn number(&self) -> usize;

    /// The mistakes so far.
    fn mistakes(&mut self) -> &mut Mistakes;

    /// How far reading has come.
    fn stage(&self) -> Stage;
}

/// Passes all lines of a file on, which may be compressed. What cannot be read is a mistake, unless the budget ended.
pub fn pass(input: impl io::Read, reader: &mut impl LineConsumer, budget: &Budget) -> Option<Exhausted> {
    let mut input = BufReader::with_capacity(PIECE, input);
    let packing = match input.fill_buf() {
        Ok(bytes) => Packing::of(bytes),
        Err(error) if error.kind() == ErrorKind::Interrupted => None,
        Err(error) => return failed(reader, &error, budget),
    };
    match packing {
        Some(Packing::Gzip) => unpacked(flate2::bufread::MultiGzDecoder::new(input), reader, budget),
        Some(Packing::Bzip2) => unpacked(bzip2::bufread::MultiBzDecoder::new(input), reader, budget),
        Some(Packing::Zstd) => unpacked(ZstdFrames::new(input), reader, budget),
        None => pieces(&mut input, reader, budget),
    }
}

fn unpacked(text: impl io::Read, reader: &mut impl LineConsumer, budget: &Budget) -> Option<Exhausted> {
    pieces(&mut BufReader::with_capacity(PIECE, text), reader, budget)
}

/// Classifies an error of the input: the exhausted budget, or a mistake. What unpacks may wrap the error of what is unpacked.
fn failed(reader: &mut impl LineConsumer, error: &io::Error, budget: &Budget) -> Option<Exhausted> {
    if matches!(error.kind(), ErrorKind::TimedOut | ErrorKind::Other)
        && let Some(exhausted) = budget.exhausted()
    {
        return Some(exhausted);
    }
    let message = format!("cannot read beyond line {}: {error}", reader.number());
    reader.mistakes().add(
        Diagnostic::error_without_place(message)
            .with_help("the file may be damaged or incomplete: fetch or generate it again"),
    );
    None
}

fn pieces(input: &mut impl BufRead, reader: &mut impl LineConsumer, budget: &Budget) -> Option<Exhausted> {
    // The start of a line whose end has not been read yet.
    let mut rest: Vec<u8> = Vec::new();
    for piece in 0.. {
        let bytes = match input.fill_buf() {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => return failed(reader, &error, budget),
        };
        if bytes.is_empty() {
            break;
        }
        let read = bytes.len();
        let mut start = 0;
        for end in memchr::memchr_iter(b'\n', bytes) {
            if rest.is_empty() {
                reader.line(&bytes[start..end]);
            } else {
                rest.extend_from_slice(&bytes[start..end]);
                reader.line(&rest);
                rest.clear();
            }
            start = end + 1;
            if reader.is_enough() {
                return None;
            }
        }
        rest.extend_from_slice(&bytes[start..]);
        if rest.len() > LONGEST_LINE {
            let message =
                format!("this line is longer than {} MiB: this is no text of a system", LONGEST_LINE >> 20);
            let help = "each transition is on a line of its own";
            let number = reader.number() + 1;
            reader.mistakes().fault(number, &rest, AutFault { place: 0..1, message, help });
            return None;
        }
        input.consume(read);
        if piece % PATIENCE == 0
            && let Some(exhausted) = budget.at(reader.stage())
        {
            return Some(exhausted);
        }
    }
    if !rest.is_empty() {
        reader.line(&rest);
    }
    None
}
