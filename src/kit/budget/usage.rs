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
    in_status("VmHWM:")
}

/// Returns the resident memory of this process in bytes; `None` where the system does not report it.
pub fn resident_bytes() -> Option<u64> {
    in_status("VmRSS:").map(|kilobytes| kilobytes * 1024)
}

/// Returns a field of `/proc/self/status` in units of 1024 bytes, independent of the page size.
pub fn in_status(key: &str) -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(key))?;
    line.split_whitespace().next()?.parse().ok()
}

/// Returns the default memory limit in bytes, which leaves room for other programs: four fifths of the memory of the
/// machine or of its container, and at most half of the address space where that is limited (`ulimit -v`), because
/// solvers reserve more than they use. `None` where the system reports neither.
pub fn usual_limit() -> Option<u64> {
    let read = |path: &str| std::fs::read_to_string(path).ok();
    let machine = read("/proc/meminfo").and_then(|text| total_memory(&text));
    let container = read("/sys/fs/cgroup/memory.max").and_then(|text| text.trim().parse().ok());
    let address_space = read("/proc/self/limits").and_then(|text| address_space(&text));
    let physical = [machine, container].into_iter().flatten().min();
    [physical.map(|bytes| bytes / 5 * 4), address_space.map(|bytes| bytes / 2)].into_iter().flatten().min()
}

/// Parses a line such as `MemTotal:       16314460 kB`.
fn total_memory(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kilobytes.checked_mul(1024)
}

/// Parses a line such as `Max address space         unlimited            unlimited            bytes`.
fn address_space(limits: &str) -> Option<u64> {
    let line = limits.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_system_files_are_understood() {
        assert_eq!(total_memory("MemTotal:       16314460 kB\nMemFree: 1 kB\n"), Some(16_314_460 << 10));
        assert_eq!(total_memory("MemFree: 1 kB\n"), None);
        let limits = |soft: &str| {
            format!("Max cpu time  1  2  seconds\nMax address space  {soft}  unlimited  bytes\n")
        };
        assert_eq!(address_space(&limits("1024")), Some(1024));
        assert_eq!(address_space(&limits("unlimited")), None);
    }

    #[test]
    #[cfg(target_os = "linux")]
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
