//! Compressed files.

use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};
use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use std::io::{self, BufRead, ErrorKind, Read, Write};

/// How a file is compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Packing {
    /// With gzip.
    Gzip,
    /// With bzip2.
    Bzip2,
    /// With zstd.
    Zstd,
}

impl Packing {
    /// By the first bytes of a file; `None` for one that is not compressed.
    pub fn of(bytes: &[u8]) -> Option<Self> {
        match bytes {
            [0x1f, 0x8b, ..] => Some(Packing::Gzip),
            // The level of compression, then a block or the end.
            [b'B', b'Z', b'h', b'1'..=b'9', 0x31 | 0x17, ..] => Some(Packing::Bzip2),
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Some(Packing::Zstd),
            // A frame that decoders skip.
            [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Some(Packing::Zstd),
            _ => None,
        }
    }
}

/// The content of all frames of a file that is compressed with zstd, one after the other.
pub struct ZstdFrames<R> {
    input: R,
    decoder: FrameDecoder,
    /// True if a frame was begun.
    within: bool,
}

impl<R: BufRead> ZstdFrames<R> {
    /// The content of a file.
    pub fn new(input: R) -> Self {
        Self { input, decoder: FrameDecoder::new(), within: false }
    }

    /// Begins the next frame; `false` at the end of the file.
    fn begin(&mut self) -> io::Result<bool> {
        while !self.input.fill_buf()?.is_empty() {
            match self.decoder.init(&mut self.input) {
                Ok(()) => return Ok(true),
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                    length,
                    ..
                })) => {
                    let mut skipped = (&mut self.input).take(u64::from(length));
                    if io::copy(&mut skipped, &mut io::sink())? < u64::from(length) {
                        return Err(ErrorKind::UnexpectedEof.into());
                    }
                }
                Err(error) => return Err(io::Error::other(error)),
            }
        }
        Ok(false)
    }

    /// The end of a frame: its sum has to be that of what was read.
    fn end(&mut self) -> io::Result<()> {
        self.within = false;
        let written = self.decoder.get_checksum_from_data();
        match written.is_some() && written != self.decoder.get_calculated_checksum() {
            true => Err(io::Error::new(ErrorKind::InvalidData, "a checksum of the compressed file is wrong")),
            false => Ok(()),
        }
    }
}

impl<R: BufRead> Read for ZstdFrames<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            if !self.within {
                self.within = self.begin()?;
                if !self.within {
                    return Ok(0);
                }
            }
            while self.decoder.can_collect() == 0 && !self.decoder.is_finished() {
                let some = BlockDecodingStrategy::UptoBlocks(1);
                self.decoder.decode_blocks(&mut self.input, some).map_err(io::Error::other)?;
            }
            if buffer.is_empty() || self.decoder.can_collect() > 0 {
                return self.decoder.read(buffer);
            }
            self.end()?;
        }
    }
}

/// The number of bytes in a frame that [`Packed`] writes.
pub const FRAME: usize = 1 << 22;

/// Compresses with zstd what is written, as a sequence of frames: so none has to be kept longer than until it is full.
pub struct Packed<W: Write> {
    output: W,
    /// Bytes of the next frame.
    open: Vec<u8>,
    /// True if there is a frame.
    begun: bool,
}

impl<W: Write> Packed<W> {
    /// Writes to `output`.
    pub fn new(output: W) -> Self {
        Self { output, open: Vec::new(), begun: false }
    }

    /// Writes what is left, and returns the output.
    ///
    /// # Errors
    /// If that cannot be written.
    pub fn finish(mut self) -> io::Result<W> {
        if !self.open.is_empty() || !self.begun {
            self.frame()?;
        }
        Ok(self.output)
    }

    fn frame(&mut self) -> io::Result<()> {
        self.output.write_all(&compress_to_vec(self.open.as_slice(), CompressionLevel::Fastest))?;
        self.open.clear();
        self.begun = true;
        Ok(())
    }
}

impl<W: Write> Write for Packed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let taken = bytes.len().min(FRAME - self.open.len());
        self.open.extend_from_slice(&bytes[..taken]);
        if self.open.len() == FRAME {
            self.frame()?;
        }
        Ok(taken)
    }

    /// Passes on what is compressed; frames do not end here.
    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}
