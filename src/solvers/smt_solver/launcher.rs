//! Processes of solvers that end with this program, however that comes to pass.
//!
//! A solver leads a process group of its own, which is killed as soon as its answer is there or is no longer wanted. In case that
//! the program is killed before, it starts solvers by way of itself: as a *launcher*, which asks the system to be killed when the
//! program is gone (Linux), starts a *guard* and becomes the solver. The guard is one more process of the group. It kills the
//! group when the solver or the program has ended, and with it whatever a solver that is a script has started. Before, it removes the
//! folder that the solver runs in.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;

/// The first arguments of a launcher and of a guard.
const LAUNCHER: &str = "solver-launcher";
const GUARD: &str = "solver-guard";
/// The message of a launcher on standard error if the solver cannot be started, before the number of the error.
const NOT_STARTED: &str = "solver-launcher: not started: ";
/// How a launcher or guard ends that has nothing to do.
const FAILED: u8 = 127;

/// The program that is a launcher and a guard, if there is one.
static OWN_PROGRAM: OnceLock<PathBuf> = OnceLock::new();

/// Makes this program the launcher of its solvers, so that none outlives it even if it is killed. A program calls this before
/// anything else, with its arguments, the first of which is its own name; where there is a result, it ends with that exit code:
/// it was started as a launcher or a guard. Without this call, a solver outlives a program that is killed while it is asked.
pub fn launch_solvers(arguments: &[OsString]) -> Option<u8> {
    let role = arguments.get(1).and_then(|word| word.to_str());
    match role {
        Some(LAUNCHER) => Some(imp::launch(&arguments[2..])),
        Some(GUARD) => Some(imp::guard(&arguments[2..])),
        _ => {
            own_program().into_iter().for_each(|own| _ = OWN_PROGRAM.set(own));
            None
        }
    }
}

/// The running program. On Linux, the name is right even if the file was replaced.
fn own_program() -> Option<PathBuf> {
    let running = Path::new("/proc/self/exe");
    match running.exists() {
        true => Some(running.to_owned()),
        false => std::env::current_exe().ok(),
    }
}

/// A process with all that it has started, none of which outlives this.
pub(super) struct ProcessGroup {
    child: Child,
    is_launched: bool,
}

impl ProcessGroup {
    /// Starts a solver in a folder of its own, which is removed at the latest when the program ends, with its standard streams piped.
    pub(super) fn start(program: &Path, arguments: &[OsString], folder: &Path) -> io::Result<Self> {
        let own = OWN_PROGRAM.get().filter(|_| cfg!(unix));
        let mut command = match own {
            Some(own) => {
                let mut command = Command::new(own);
                command.arg(LAUNCHER).arg(std::process::id().to_string()).arg(folder).arg(program);
                command
            }
            None => Command::new(program),
        };
        command.args(arguments).current_dir(folder);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        imp::lead_group(&mut command);
        Ok(Self { child: command.spawn()?, is_launched: own.is_some() })
    }

    pub(super) fn leader(&mut self) -> &mut Child {
        &mut self.child
    }

    /// Why the solver was not started, from what its process said on standard error.
    pub(super) fn start_error(&self, said: &str) -> Option<io::Error> {
        let number = said.strip_prefix(NOT_STARTED).filter(|_| self.is_launched)?;
        Some(number.trim_end().parse().map_or_else(io::Error::other, io::Error::from_raw_os_error))
    }

    /// Ends all processes of the group.
    pub(super) fn end(&mut self) {
        imp::kill_group(&self.child);
        // Of processes that have ended already, nothing is left to be done.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for ProcessGroup {
    fn drop(&mut self) {
        self.end();
    }
}

#[cfg(unix)]
mod imp {
    use super::{FAILED, GUARD, NOT_STARTED, OsString, own_program};
    use nix::errno::Errno;
    use nix::sys::signal::{Signal, kill, killpg};
    use nix::unistd::{Pid, getpgrp};
    use std::os::unix::process::{CommandExt, parent_id};
    use std::process::{Child, Command, Stdio};
    use std::time::Duration;

    /// The time between two looks of a guard at its processes.
    const TICK: Duration = Duration::from_millis(20);

    pub(super) fn lead_group(command: &mut Command) {
        command.process_group(0);
    }

    pub(super) fn kill_group(leader: &Child) {
        let leader = i32::try_from(leader.id()).map(Pid::from_raw);
        // A group whose processes have all ended is there no more.
        let _ = leader.map(|leader| killpg(leader, Signal::SIGKILL));
    }

    /// Becomes the solver; `rest` has the process that asks, the folder, the program and its arguments.
    pub(super) fn launch(rest: &[OsString]) -> u8 {
        let [asker, folder, program, arguments @ ..] = rest else { return FAILED };
        #[cfg(target_os = "linux")]
        let _ = nix::sys::prctl::set_pdeathsig(Signal::SIGKILL);
        if number(asker) != i32::try_from(parent_id()).ok() {
            // It ended before the system was asked to tell.
            return FAILED;
        }
        if getpgrp() == Pid::this()
            && let Some(own) = own_program()
        {
            let mut guard = Command::new(own);
            guard.arg(GUARD).arg(asker).arg(std::process::id().to_string()).arg(folder);
            // Without a guard, what a script has started may outlive it.
            let _ = guard.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        }
        let error = Command::new(program).args(arguments).exec();
        eprintln!("{NOT_STARTED}{}", error.raw_os_error().unwrap_or_default());
        FAILED
    }

    /// Removes the folder and kills the own group as soon as the solver or the process that asks it has ended; `rest` has that
    /// process, the solver and the folder.
    pub(super) fn guard(rest: &[OsString]) -> u8 {
        let [asker, solver, folder] = rest else { return FAILED };
        let (Some(asker), Some(solver)) = (number(asker), number(solver)) else { return FAILED };
        // The group is that of the solver, and of nobody else.
        if getpgrp() != Pid::from_raw(solver) {
            return FAILED;
        }
        while i32::try_from(parent_id()) == Ok(solver)
            && kill(Pid::from_raw(asker), None) != Err(Errno::ESRCH)
        {
            std::thread::sleep(TICK);
        }
        // In a folder that was removed, nothing can be made any more. Who asked may have removed it already.
        let _ = std::fs::remove_dir_all(folder);
        let _ = killpg(getpgrp(), Signal::SIGKILL);
        0
    }

    fn number(word: &OsString) -> Option<i32> {
        word.to_str()?.parse().ok()
    }
}

#[cfg(not(unix))]
mod imp {
    use super::{FAILED, OsString};
    use std::process::{Child, Command};

    pub(super) fn lead_group(_: &mut Command) {}

    pub(super) fn kill_group(_: &Child) {}

    pub(super) fn launch(_: &[OsString]) -> u8 {
        FAILED
    }

    pub(super) fn guard(_: &[OsString]) -> u8 {
        FAILED
    }
}
