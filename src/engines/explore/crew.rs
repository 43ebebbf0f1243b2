//! Threads that compute the steps of states while another one numbers the target states.

use super::limits::Stop;
use super::producer::{Producer, ProducerTask, StepBlock};
use super::program::Called;
use kit::budget::{Budget, Exhausted, helper};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::Scope;
use std::time::Duration;

/// The number of blocks of a job that may wait to be received.
const WAITING: usize = 8;

/// The number of jobs for each thread that are given at a time.
const AHEAD: usize = 4;

/// The most threads; more would wait for the one that numbers states.
const MOST: usize = 16;

/// The time to wait between two checks of the budget.
const PATIENCE: Duration = Duration::from_millis(50);

/// A job: states, one after the other, and the channel for the results.
struct WorkerJob {
    states: Vec<u64>,
    found: SyncSender<WorkerMessage>,
}

/// A message from a thread.
pub enum WorkerMessage {
    /// Steps, by the thread of this number.
    Steps(usize, StepBlock),
    /// The job is done, or ended early.
    End(Result<(), Stop>),
}

/// The queue from which threads take jobs.
type Jobs = Arc<Mutex<Receiver<WorkerJob>>>;

fn next(jobs: &Jobs) -> Option<WorkerJob> {
    jobs.lock().unwrap_or_else(PoisonError::into_inner).recv().ok()
}

/// Threads at work. Dropping this tells them that their task is over; they end soon after.
pub struct WorkerPool<'a> {
    /// The label names of each thread.
    pub names: Vec<LabelNames>,
    jobs: Sender<WorkerJob>,
    is_over: &'a AtomicBool,
    /// The jobs that are not done, in the order in which they were given.
    given: VecDeque<Receiver<WorkerMessage>>,
}

impl Drop for WorkerPool<'_> {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
    }
}

impl<'a> WorkerPool<'a> {
    /// Starts up to the given number of threads, as far as useful and possible; `None` if none can be started.
    pub fn start<'scope, 'm: 'scope>(
        scope: &'scope Scope<'scope, '_>,
        threads: usize,
        task: ProducerTask<'a, 'm>,
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
        let names: Vec<LabelNames> = threads.map(|_| LabelNames::default()).collect();
        let given = VecDeque::new();
        (!names.is_empty()).then(|| Self { names, jobs: sender, is_over: task.is_over, given })
    }

    /// True if no job is being done.
    pub fn is_idle(&self) -> bool {
        self.given.is_empty()
    }

    /// True if there are enough jobs.
    pub fn is_busy(&self) -> bool {
        self.given.len() >= self.names.len() * AHEAD
    }

    /// Gives states, which lie one after the other, to the first free thread.
    pub fn give(&mut self, states: Vec<u64>) {
        let (sender, receiver) = sync_channel(WAITING);
        // Threads take jobs as long as they can be given.
        let _ = self.jobs.send(WorkerJob { states, found: sender });
        self.given.push_back(receiver);
    }

    /// Returns the next message about the earliest job that is not done. Waits for it, unless the budget ends.
    pub fn receive(&mut self, budget: &Budget) -> WorkerMessage {
        let next = loop {
            match self.given.front().map(|job| job.recv_timeout(PATIENCE)) {
                Some(Ok(next)) => break next,
                Some(Err(RecvTimeoutError::Timeout)) => {
                    if let Some(why) = budget.exhausted() {
                        return WorkerMessage::End(Err(Stop::Budget(why)));
                    }
                }
                // Without a message, the thread has panicked, which the join reports.
                Some(Err(RecvTimeoutError::Disconnected)) | None => {
                    break WorkerMessage::End(Err(Stop::Budget(Exhausted::Interrupt)));
                }
            }
        };
        if matches!(next, WorkerMessage::End(_)) {
            self.given.pop_front();
        }
        next
    }
}

/// Does a job, as long as its results are wanted.
fn work(producer: &mut Producer<'_, '_>, number: usize, job: &WorkerJob) {
    let unwanted = || Stop::Budget(Exhausted::Interrupt);
    let done = producer.steps(&job.states, &mut |block| {
        job.found.send(WorkerMessage::Steps(number, std::mem::take(block))).map_err(|_| unwanted())
    });
    let _ = job.found.send(WorkerMessage::End(done));
}

/// The label names of one producer, with the numbers of those that were needed.
#[derive(Default)]
pub struct LabelNames(Vec<(Called, Option<u32>)>);

impl LabelNames {
    /// Adds labels that the producer has numbered.
    pub fn extend(&mut self, called: impl Iterator<Item = Called>) {
        self.0.extend(called.map(|called| (called, None)));
    }

    /// Returns the number of a label, which is looked up once.
    pub fn number(&mut self, label: u32, look_up: impl FnOnce(&Called) -> u32) -> u32 {
        let (called, number) = &mut self.0[label as usize];
        *number.get_or_insert_with(|| look_up(called))
    }
}
