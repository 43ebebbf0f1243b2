//! Threads that compute the steps of states while another one numbers the states that they lead to.

use super::limits::Stop;
use super::producer::{Block, Producer, Task};
use crate::budget::Exhausted;
use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread::{Builder, Scope};

/// How many blocks of a job may wait to be received.
const WAITING: usize = 8;

/// So many jobs for each thread are given at a time.
const AHEAD: usize = 4;

/// The stack of a thread, in bytes: expressions are evaluated as deep as they are nested.
const STACK: usize = 64 << 20;

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
}

impl Jobs {
    fn next(&self) -> Option<Job> {
        let list = self.list.lock().unwrap_or_else(PoisonError::into_inner);
        list.as_ref()?.recv().ok()
    }
}

/// Threads at work. They end when this is dropped.
pub struct Crew {
    threads: usize,
    jobs: Sender<Job>,
    /// The jobs that are not done, in the order in which they were given.
    given: VecDeque<Receiver<Message>>,
}

impl Crew {
    /// Starts at most so many threads; `None` if there can be none.
    pub fn start<'scope, 'a: 'scope, 'm: 'scope>(
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
                    work(&mut producer, number, &job);
                }
            })
        };
        let threads = (0..threads).map_while(|number| start(number).ok()).count();
        (threads > 0).then(|| Self { threads, jobs: sender, given: VecDeque::new() })
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

    /// What comes next of the earliest job that is not done. Waits for it.
    pub fn receive(&mut self) -> Message {
        let next = self.given.front().map(Receiver::recv);
        // Nothing is sent only if the thread panicked, which whoever waits for it will notice.
        let next = next.and_then(Result::ok).unwrap_or(Message::End(Err(Stop::Budget(Exhausted::Interrupt))));
        if matches!(next, Message::End(_)) {
            self.given.pop_front();
        }
        next
    }
}

/// Does a job, as long as somebody waits for what is found.
fn work(producer: &mut Producer<'_, '_>, number: usize, job: &Job) {
    let unwanted = |_| Stop::Budget(Exhausted::Interrupt);
    let done = producer.steps(&job.states, &mut |block| {
        job.found.send(Message::Steps(number, std::mem::take(block))).map_err(unwanted)
    });
    let _ = job.found.send(Message::End(done));
}
