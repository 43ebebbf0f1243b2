//! Input that may block: pipes, devices, standard input.

use cladist::budget::Budget;
use std::fs::File;
use std::io::{self, Read};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

/// The number of bytes read at once.
const PIECE: usize = 1 << 18;

/// The number of pieces that are read ahead.
const AHEAD: usize = 4;

/// The time without input after which the budget is checked.
const PATIENCE: Duration = Duration::from_millis(100);

#[derive(Debug)]
pub enum ByteSource {
    Stdin,
    /// A file; opening a pipe waits for a writer.
    File(PathBuf),
}

/// Reads a source in a thread of its own, so that the budget also ends waiting for it: reading then fails with
/// [`io::ErrorKind::TimedOut`].
pub struct Stream<'a> {
    pieces: Receiver<io::Result<Vec<u8>>>,
    piece: Vec<u8>,
    /// The number of bytes of the piece that were taken.
    taken: usize,
    budget: &'a Budget,
}

impl<'a> Stream<'a> {
    /// Starts reading. The thread stays behind when no input comes: it ends with the program.
    pub fn new(source: ByteSource, budget: &'a Budget) -> Self {
        let (send, pieces) = sync_channel(AHEAD);
        thread::spawn(move || {
            let done = match source {
                ByteSource::Stdin => pass_on(io::stdin().lock(), &send),
                ByteSource::File(path) => File::open(path).and_then(|file| pass_on(file, &send)),
            };
            if let Err(error) = done {
                // Without a receiver, the error has no recipient.
                let _ = send.send(Err(error));
            }
        });
        Self { pieces, piece: Vec::new(), taken: 0, budget }
    }
}

/// Sends the input until it ends or the receiver is gone.
fn pass_on(mut from: impl Read, to: &SyncSender<io::Result<Vec<u8>>>) -> io::Result<()> {
    loop {
        let mut piece = vec![0; PIECE];
        let length = match from.read(&mut piece) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            length => length?,
        };
        piece.truncate(length);
        if length == 0 || to.send(Ok(piece)).is_err() {
            return Ok(());
        }
    }
}

impl Read for Stream<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        while self.taken == self.piece.len() {
            match self.pieces.recv_timeout(PATIENCE) {
                Ok(piece) => (self.piece, self.taken) = (piece?, 0),
                Err(RecvTimeoutError::Disconnected) => return Ok(0),
                Err(RecvTimeoutError::Timeout) if self.budget.exhausted().is_some() => {
                    return Err(io::ErrorKind::TimedOut.into());
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
        let length = into.len().min(self.piece.len() - self.taken);
        into[..length].copy_from_slice(&self.piece[self.taken..self.taken + length]);
        self.taken += length;
        Ok(length)
    }
}
