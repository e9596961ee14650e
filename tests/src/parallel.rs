//! Work on all processors of the machine.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Calls `work` for all items, with as many threads as there are processors. A panic there is one
/// here, after the other threads have done their work.
pub fn for_each<T: Sync>(items: &[T], work: impl Fn(&T) + Sync) {
    let done = |number: usize| -> Result<(), std::convert::Infallible> {
        work(&items[number]);
        Ok(())
    };
    failures(items.len(), done);
}

/// Calls `work` for all numbers below `count`, with as many threads as there are processors, and
/// returns the failures with their numbers, in order.
pub(crate) fn failures<E: Send>(
    count: usize,
    work: impl Fn(usize) -> Result<(), E> + Sync,
) -> Vec<(usize, E)> {
    let next = AtomicUsize::new(0);
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let one_after_another = || {
        let mut found = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= count {
                return found;
            }
            found.extend(work(number).err().map(|failure| (number, failure)));
        }
    };
    let mut found = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(one_after_another)).collect();
        let finished = workers.into_iter().map(|worker| match worker.join() {
            Ok(found) => found,
            Err(cause) => std::panic::resume_unwind(cause),
        });
        finished.flatten().collect::<Vec<_>>()
    });
    found.sort_by_key(|(number, _)| *number);
    found
}
