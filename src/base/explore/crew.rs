//! Threads that compute the steps of states while another one numbers the states that they lead to.

use super::limits::Stop;
use super::producer::{Block, Producer, Task};
use crate::budget::{Budget, Exhausted};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread::{Builder, Scope};
use std::time::Duration;

/// How many blocks of a job may wait to be received.
const WAITING: usize = 8;

/// So many jobs for each thread are given at a time.
const AHEAD: usize = 4;

/// The stack of a thread, in bytes: expressions are evaluated as deep as they are nested.
const STACK: usize = 16 << 20;

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
#[derive(Default)]
pub struct Jobs {
    list: Mutex<Option<Receiver<Job>>>,
    /// Whether nobody waits for what is found any more.
    is_over: AtomicBool,
}

impl Jobs {
    fn next(&self) -> Option<Job> {
        let list = self.list.lock().unwrap_or_else(PoisonError::into_inner);
        list.as_ref()?.recv().ok().filter(|_| !self.is_over.load(Ordering::Relaxed))
    }
}

/// Threads at work. They end soon after this is dropped.
pub struct Crew<'scope> {
    threads: usize,
    list: &'scope Jobs,
    jobs: Sender<Job>,
    /// The jobs that are not done, in the order in which they were given.
    given: VecDeque<Receiver<Message>>,
}

impl Drop for Crew<'_> {
    fn drop(&mut self) {
        self.list.is_over.store(true, Ordering::Relaxed);
    }
}

impl<'scope> Crew<'scope> {
    /// Starts so many threads, as far as that is of use and possible; `None` if there can be none.
    pub fn start<'a: 'scope, 'm: 'scope>(
        scope: &'scope Scope<'scope, '_>,
        threads: usize,
        jobs: &'scope Jobs,
        task: Task<'a, 'm>,
    ) -> Option<Self> {
        let (sender, receiver) = channel();
        *jobs.list.lock().unwrap_or_else(PoisonError::into_inner) = Some(receiver);
        let start = |number: usize| {
            Builder::new().stack_size(STACK).spawn_scoped(scope, move || {
                let mut producer = Producer::new(task);
                while let Some(job) = jobs.next() {
                    work(&mut producer, number, &job, &jobs.is_over);
                }
            })
        };
        let threads = (0..threads.min(MOST)).map_while(|number| start(number).ok()).count();
        (threads > 0).then(|| Self { threads, list: jobs, jobs: sender, given: VecDeque::new() })
    }

    /// How many threads there are.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// Whether nothing is being done.
    pub fn is_idle(&self) -> bool {
        self.given.is_empty()
    }

    /// Whether there is enough to do.
    pub fn is_busy(&self) -> bool {
        self.given.len() >= self.threads * AHEAD
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
fn work(producer: &mut Producer<'_, '_>, number: usize, job: &Job, is_over: &AtomicBool) {
    let unwanted = || Stop::Budget(Exhausted::Interrupt);
    let done = producer.steps(&job.states, is_over, &mut |block| {
        job.found.send(Message::Steps(number, std::mem::take(block))).map_err(|_| unwanted())
    });
    let _ = job.found.send(Message::End(done));
}
