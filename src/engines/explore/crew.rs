//! Threads that compute the steps of states while another one numbers the states that they lead to.

use super::limits::Stop;
use super::names::Names;
use super::producer::{Block, Producer, Task};
use kit::budget::{Budget, Exhausted, helper};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::Scope;
use std::time::Duration;

/// How many blocks of a job may wait to be received.
const WAITING: usize = 8;

/// So many jobs for each thread are given at a time.
const AHEAD: usize = 4;

/// More threads than this would wait for the one that numbers states.
const MOST: usize = 16;

/// How long to wait before the budget is looked at.
const PATIENCE: Duration = Duration::from_millis(50);

/// Something to do: states, one after the other, and where what is found goes.
struct Job {
    states: Vec<u64>,
    found: SyncSender<Message>,
}

/// What a thread says.
pub enum Message {
    /// Steps, by the thread of this number.
    Steps(usize, Block),
    /// The job is done, or ended early.
    End(Result<(), Stop>),
}

/// Where threads take jobs from.
type Jobs = Arc<Mutex<Receiver<Job>>>;

fn next(jobs: &Jobs) -> Option<Job> {
    jobs.lock().unwrap_or_else(PoisonError::into_inner).recv().ok()
}

/// Threads at work. They end soon after this is dropped, which says that their task is over.
pub struct Crew<'a> {
    /// What each of them calls labels.
    pub names: Vec<Names>,
    jobs: Sender<Job>,
    is_over: &'a AtomicBool,
    /// The jobs that are not done, in the order in which they were given.
    given: VecDeque<Receiver<Message>>,
}

impl Drop for Crew<'_> {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
    }
}

impl<'a> Crew<'a> {
    /// Starts so many threads, as far as that is of use and possible; `None` if there can be none.
    pub fn start<'scope, 'm: 'scope>(
        scope: &'scope Scope<'scope, '_>,
        threads: usize,
        task: Task<'a, 'm>,
    ) -> Option<Self>
    where
        'a: 'scope,
    {
        let (sender, receiver) = channel();
        let jobs: Jobs = Arc::new(Mutex::new(receiver));
        let start = |number: usize| {
            let jobs = Arc::clone(&jobs);
            helper().spawn_scoped(scope, move || {
                let mut producer = Producer::new(task);
                while let Some(job) = next(&jobs) {
                    work(&mut producer, number, &job);
                }
            })
        };
        let threads = (0..threads.min(MOST)).map_while(|number| start(number).ok());
        let names: Vec<Names> = threads.map(|_| Names::default()).collect();
        let given = VecDeque::new();
        (!names.is_empty()).then(|| Self { names, jobs: sender, is_over: task.is_over, given })
    }

    /// Whether nothing is being done.
    pub fn is_idle(&self) -> bool {
        self.given.is_empty()
    }

    /// Whether there is enough to do.
    pub fn is_busy(&self) -> bool {
        self.given.len() >= self.names.len() * AHEAD
    }

    /// Gives states, which lie one after the other, to whoever is free first.
    pub fn give(&mut self, states: Vec<u64>) {
        let (sender, receiver) = sync_channel(WAITING);
        // Threads take jobs as long as they can be given.
        let _ = self.jobs.send(Job { states, found: sender });
        self.given.push_back(receiver);
    }

    /// What comes next of the earliest job that is not done. Waits for it, unless the budget ends.
    pub fn receive(&mut self, budget: &Budget) -> Message {
        let next = loop {
            match self.given.front().map(|job| job.recv_timeout(PATIENCE)) {
                Some(Ok(next)) => break next,
                Some(Err(RecvTimeoutError::Timeout)) => {
                    if let Some(why) = budget.exhausted() {
                        return Message::End(Err(Stop::Budget(why)));
                    }
                }
                // Nothing is sent only if the thread panicked, which whoever waits for it will notice.
                Some(Err(RecvTimeoutError::Disconnected)) | None => {
                    break Message::End(Err(Stop::Budget(Exhausted::Interrupt)));
                }
            }
        };
        if matches!(next, Message::End(_)) {
            self.given.pop_front();
        }
        next
    }
}

/// Does a job, as long as somebody waits for what is found.
fn work(producer: &mut Producer<'_, '_>, number: usize, job: &Job) {
    let unwanted = || Stop::Budget(Exhausted::Interrupt);
    let done = producer.steps(&job.states, &mut |block| {
        job.found.send(Message::Steps(number, std::mem::take(block))).map_err(|_| unwanted())
    });
    let _ = job.found.send(Message::End(done));
}
