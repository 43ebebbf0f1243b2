//! The memory that this process uses, and how much it can use before the system kills it.

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
}
