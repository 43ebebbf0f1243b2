//! A memory limit that is cheap to check: the memory is measured only every few milliseconds.

use super::usage::resident_bytes;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The least time between two measurements. A measurement takes 20 to 60 µs, at most half a per cent of the run; a
/// program that touches new memory at full speed gets about 25 MB in this time.
const INTERVAL: Duration = Duration::from_millis(10);

/// The limit, and the last measurement, which all clones share.
#[derive(Debug, Clone)]
pub struct MemoryLimit {
    bytes: u64,
    start: Instant,
    meter: Arc<MemoryMeter>,
}

/// The last measurement of the resident memory.
#[derive(Debug, Default)]
struct MemoryMeter {
    /// The time of the next measurement, in nanoseconds since the start.
    due: AtomicU64,
    /// The resident memory in bytes; 0 where the system does not report it.
    resident: AtomicU64,
}

impl MemoryLimit {
    /// Limits the resident memory of the process, in bytes. The first check measures at once.
    pub fn new(bytes: u64) -> Self {
        Self { bytes, start: Instant::now(), meter: Arc::default() }
    }

    /// Returns half of this limit, at most `bytes`.
    pub fn half_up_to(&self, bytes: u64) -> Self {
        Self { bytes: bytes.min(self.bytes / 2), ..self.clone() }
    }

    /// True if `bytes` more would exceed the limit, measured now. Always false where the system does not report the
    /// memory.
    pub fn would_exceed(&self, bytes: u64) -> bool {
        resident_bytes().is_some_and(|resident| resident.saturating_add(bytes) > self.bytes)
    }

    /// True if the process had reached the limit at the last measurement, at most 10 ms before `now`. Always false
    /// where the system does not report the memory.
    pub fn is_reached(&self, now: Instant) -> bool {
        let nanoseconds = |time: Duration| u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        let elapsed = nanoseconds(now.saturating_duration_since(self.start));
        let due = self.meter.due.load(Ordering::Relaxed);
        if elapsed >= due {
            // Of several threads that find the measurement due, one measures; the others use the last one.
            let next = elapsed.saturating_add(nanoseconds(INTERVAL));
            let (success, failure) = (Ordering::Relaxed, Ordering::Relaxed);
            if self.meter.due.compare_exchange(due, next, success, failure).is_ok() {
                self.meter.resident.store(resident_bytes().unwrap_or(0), Ordering::Relaxed);
            }
        }
        self.meter.resident.load(Ordering::Relaxed) >= self.bytes.max(1)
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn the_memory_is_measured_when_due_and_remembered_between() {
        let limit = MemoryLimit::new(u64::MAX);
        assert!(!limit.is_reached(limit.start));
        let measured = limit.meter.resident.load(Ordering::Relaxed);
        assert!(measured > 0, "the first question measures");
        // A made-up measurement stays until the next one is due, for clones as well.
        limit.meter.resident.store(u64::MAX, Ordering::Relaxed);
        let clone = limit.clone();
        assert!(clone.is_reached(limit.start + INTERVAL / 2));
        assert!(!clone.is_reached(limit.start + INTERVAL));
        assert!(!limit.is_reached(limit.start + INTERVAL));
    }

    #[test]
    fn memory_that_grows_is_noticed() {
        let block = std::hint::black_box(vec![1u8; 256 << 20]);
        assert!(MemoryLimit::new(128 << 20).is_reached(Instant::now()));
        assert!(!MemoryLimit::new(1 << 50).is_reached(Instant::now()));
        drop(block);
        assert!(MemoryLimit::new(0).is_reached(Instant::now()));
    }
}
