//! Counts the bytes and calls that go over the network for one call of the user.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::action::Traffic;
use crate::network::labels::Labels;

/// Counters of one call of the user, which also count for all calls together, and the labels that
/// servers get to see.
#[derive(Debug, Default)]
pub(crate) struct Meter {
    up: AtomicU64,
    down: AtomicU64,
    calls: AtomicU64,
    total: Option<Arc<Meter>>,
    pub(crate) labels: Labels,
}

impl Meter {
    /// Creates counters whose counts also go to `total`, for calls with these labels.
    pub(crate) fn below(total: &Arc<Self>, labels: Labels) -> Self {
        Self { total: Some(Arc::clone(total)), labels, ..Self::default() }
    }

    /// Counts a call and the size of its request.
    pub(crate) fn call(&self, bytes: usize) {
        self.calls.fetch_add(1, Ordering::Relaxed);
        if let Some(total) = &self.total {
            total.calls.fetch_add(1, Ordering::Relaxed);
        }
        self.sent(bytes);
    }

    /// Counts bytes that were sent.
    pub(crate) fn sent(&self, bytes: usize) {
        self.up.fetch_add(bytes as u64, Ordering::Relaxed);
        if let Some(total) = &self.total {
            total.sent(bytes);
        }
    }

    /// Counts bytes that were received.
    pub(crate) fn received(&self, bytes: usize) {
        self.down.fetch_add(bytes as u64, Ordering::Relaxed);
        if let Some(total) = &self.total {
            total.received(bytes);
        }
    }

    /// Returns the counts so far.
    pub(crate) fn traffic(&self) -> Traffic {
        Traffic {
            bytes_up: self.up.load(Ordering::Relaxed),
            bytes_down: self.down.load(Ordering::Relaxed),
            calls: self.calls.load(Ordering::Relaxed),
        }
    }
}
