//! Limits the compilers that run on this machine at a time, where many threads wait for a cluster.

use std::num::NonZeroUsize;
use std::sync::{Condvar, Mutex, PoisonError};

/// A number of turns.
#[derive(Debug)]
pub(crate) struct Slots {
    free: Mutex<usize>,
    freed: Condvar,
}

/// A turn, until it is dropped.
pub(crate) struct Turn<'slots>(&'slots Slots);

impl Slots {
    pub(crate) fn new(count: NonZeroUsize) -> Self {
        Self { free: Mutex::new(count.get()), freed: Condvar::new() }
    }

    /// Waits for a turn.
    pub(crate) fn take(&self) -> Turn<'_> {
        let free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let free = self.freed.wait_while(free, |free| *free == 0);
        *free.unwrap_or_else(PoisonError::into_inner) -= 1;
        Turn(self)
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        *self.0.free.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        self.0.freed.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    use super::*;

    #[test]
    fn no_more_than_the_slots_run_at_a_time() {
        let slots = Slots::new(NonZeroUsize::MIN.saturating_add(1));
        let (now, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    let _turn = slots.take();
                    most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                    std::thread::sleep(Duration::from_millis(20));
                    now.fetch_sub(1, Ordering::SeqCst);
                });
            }
        });
        assert_eq!(most.into_inner(), 2);
    }
}
