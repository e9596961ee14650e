//! Runs the parts of a job on threads.
//!
//! Under GNU make, or any other program that offers its jobserver, a process may use one thread
//! without asking and needs a token for each other one. So all jobs of a build together keep the
//! processors busy and no more. Without a jobserver, the caller sets the number of threads.
//!
//! The results come in the order of the parts, so they do not depend on the number of threads.

// These macros panic where nobody reads the output, and a panic counts as a defect.
#![deny(clippy::print_stdout, clippy::print_stderr)]

mod inherited;

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError, mpsc};
use std::thread::Scope;

use jobserver::{Acquired, Client};

/// The source of threads: a jobserver, or a fixed number.
#[derive(Debug)]
pub struct Workers {
    jobserver: Option<Client>,
    /// `None` means one for each processor. Processors are counted when there are parts for them,
    /// because counting takes a dozen system calls.
    threads: Option<NonZeroUsize>,
}

impl Workers {
    /// Creates workers under the jobserver that started the process, or else `threads` of them;
    /// `None` means one for each processor.
    ///
    /// This must be called before the process opens any file.
    pub fn new(threads: Option<NonZeroUsize>) -> Self {
        Self { jobserver: inherited::inherited(), threads }
    }

    /// The calling thread alone.
    pub fn none() -> Self {
        Self { jobserver: None, threads: Some(NonZeroUsize::MIN) }
    }

    /// Creates workers for parts that wait for other machines, `threads` at a time, regardless of
    /// the jobserver.
    pub fn that_wait(threads: NonZeroUsize) -> Self {
        Self { jobserver: None, threads: Some(threads) }
    }

    fn threads(&self) -> NonZeroUsize {
        let processors = || std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        self.threads.unwrap_or_else(processors)
    }

    /// Applies `work` to every part. The calling thread takes its share.
    pub fn map<P: Sync, R: Send>(&self, parts: &[P], work: impl Fn(&P) -> R + Sync) -> Vec<R> {
        let queue = Queue {
            parts,
            next: AtomicUsize::new(0),
            results: Mutex::new(parts.iter().map(|_| None).collect()),
            work,
        };
        let others = parts.len().saturating_sub(1);
        std::thread::scope(|scope| match &self.jobserver {
            _ if others == 0 => queue.run(),
            Some(jobserver) => queue.run_with_tokens(scope, jobserver.clone(), others),
            None => {
                for _ in 0..others.min(self.threads().get() - 1) {
                    scope.spawn(|| queue.run());
                }
                queue.run();
            }
        });
        let results = queue.results.into_inner().unwrap_or_else(PoisonError::into_inner);
        results.into_iter().flatten().collect()
    }
}

/// The waiting parts, and the results so far.
struct Queue<'parts, P, R, W> {
    parts: &'parts [P],
    next: AtomicUsize,
    results: Mutex<Vec<Option<R>>>,
    work: W,
}

impl<P: Sync, R: Send, W: Fn(&P) -> R + Sync> Queue<'_, P, R, W> {
    /// Works until no part waits.
    fn run(&self) {
        while let Some((position, part)) = self.take() {
            let result = (self.work)(part);
            self.results.lock().unwrap_or_else(PoisonError::into_inner)[position] = Some(result);
        }
    }

    fn take(&self) -> Option<(usize, &P)> {
        let position = self.next.fetch_add(1, Ordering::Relaxed);
        self.parts.get(position).map(|part| (position, part))
    }

    fn is_empty(&self) -> bool {
        self.next.load(Ordering::Relaxed) >= self.parts.len()
    }

    /// Works on this thread, and on one more for each token that arrives while parts wait.
    fn run_with_tokens<'scope, 'queue: 'scope>(
        &'queue self,
        scope: &'scope Scope<'scope, 'queue>,
        jobserver: Client,
        others: usize,
    ) {
        let (sender, tokens) = mpsc::channel::<std::io::Result<Acquired>>();
        // A jobserver that cannot be asked grants no thread.
        let asking = jobserver.into_helper_thread(move |token| drop(sender.send(token)));
        let Ok(asking) = asking else { return self.run() };
        (0..others).for_each(|_| asking.request_token());
        scope.spawn(move || {
            // The loop ends when the helper thread is dropped.
            for token in tokens {
                if let (Ok(token), false) = (token, self.is_empty()) {
                    scope.spawn(move || {
                        self.run();
                        drop(token);
                    });
                }
            }
        });
        self.run();
        drop(asking);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn workers(threads: usize) -> Workers {
        Workers { jobserver: None, threads: NonZeroUsize::new(threads) }
    }

    #[test]
    fn results_come_in_the_order_of_parts() {
        let parts: Vec<usize> = (0..50).collect();
        let doubled: Vec<usize> = parts.iter().map(|part| part * 2).collect();
        for threads in [1, 3, 100] {
            assert_eq!(workers(threads).map(&parts, |part| part * 2), doubled);
        }
        assert_eq!(workers(2).map(&[], |part: &usize| *part), []);
    }

    /// Returns the maximum number of parts at work at one time, with `tokens` in the jobserver.
    fn most_at_work(tokens: usize) -> std::io::Result<usize> {
        let jobserver = Some(Client::new(tokens)?);
        let workers = Workers { jobserver, threads: None };
        let (at_work, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let done = workers.map(&[(); 12], |()| {
            most.fetch_max(at_work.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            std::thread::sleep(std::time::Duration::from_millis(30));
            at_work.fetch_sub(1, Ordering::SeqCst);
        });
        assert_eq!(done.len(), 12);
        Ok(most.into_inner())
    }

    #[test]
    fn a_jobserver_grants_threads() -> std::io::Result<()> {
        assert_eq!(most_at_work(0)?, 1);
        assert_eq!(most_at_work(2)?, 3);
        Ok(())
    }
}
