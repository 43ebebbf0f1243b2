//! The resources this process has used so far, as the operating system counts them.

/// Returns the seconds of processor time of all threads, in user and system mode; `None` where the system does not
/// report it.
#[cfg(unix)]
pub fn cpu_seconds() -> Option<f64> {
    use nix::sys::resource::{UsageWho, getrusage};
    use nix::sys::time::TimeValLike;
    let usage = getrusage(UsageWho::RUSAGE_SELF).ok()?;
    Some((usage.user_time() + usage.system_time()).num_microseconds() as f64 / 1e6)
}

/// Returns `None`: processor time is not measured on this system.
#[cfg(not(unix))]
pub fn cpu_seconds() -> Option<f64> {
    None
}

/// The processor time that this thread has used so far; `None` where the system does not report it.
#[cfg(target_os = "linux")]
pub fn thread_time() -> Option<std::time::Duration> {
    use nix::time::{ClockId, clock_gettime};
    clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).ok().map(Into::into)
}

/// Returns `None`: the processor time of threads is not measured on this system.
#[cfg(not(target_os = "linux"))]
pub fn thread_time() -> Option<std::time::Duration> {
    None
}

/// The peak resident memory of this process so far, in units of 1024 bytes; `None` where the system does
/// not report it. Read from `/proc/self/status`, because the figure of `getrusage` starts with the memory
/// of the parent process.
pub fn peak_memory_kb() -> Option<u64> {
    super::memory::in_status("VmHWM:")
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn work_and_memory_are_counted() {
        let (cpu, memory) = (cpu_seconds().expect("counted"), peak_memory_kb().expect("counted"));
        let mut block = vec![1u8; 256 << 20];
        for round in 0..4u8 {
            block.iter_mut().for_each(|byte| *byte = byte.wrapping_mul(31).wrapping_add(round));
        }
        std::hint::black_box(&block);
        assert!(cpu_seconds().expect("counted") > cpu);
        assert!(peak_memory_kb().expect("counted") >= memory.max(256 << 10));
    }
}
