//! Merges calls with the same key that are made at the same time: the first caller makes the call,
//! and the others wait for its answer.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use tokio::sync::watch;

/// The calls under way, by key. Followers get a copy of the answer.
#[derive(Debug)]
pub(crate) struct SharedCalls<K, V> {
    running: Mutex<BTreeMap<K, watch::Receiver<Option<V>>>>,
}

/// The part of a caller in a shared call.
pub(crate) enum Role<'calls, K: Ord + Copy, V: Clone> {
    /// The caller makes the call and reports with [`Lead::finish`].
    Lead(Lead<'calls, K, V>),
    /// The caller waits with [`follow`].
    Follow(watch::Receiver<Option<V>>),
}

/// The duty to make a call. Dropped without an answer, it wakes the waiting callers with none.
pub(crate) struct Lead<'calls, K: Ord + Copy, V: Clone> {
    calls: &'calls SharedCalls<K, V>,
    key: K,
    sender: watch::Sender<Option<V>>,
}

impl<K, V> Default for SharedCalls<K, V> {
    fn default() -> Self {
        Self { running: Mutex::default() }
    }
}

impl<K: Ord + Copy, V: Clone> SharedCalls<K, V> {
    /// Joins the call for `key`.
    pub(crate) fn join(&self, key: K) -> Role<'_, K, V> {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(receiver) = running.get(&key) {
            return Role::Follow(receiver.clone());
        }
        let (sender, receiver) = watch::channel(None);
        running.insert(key, receiver);
        Role::Lead(Lead { calls: self, key, sender })
    }
}

impl<K: Ord + Copy, V: Clone> Lead<'_, K, V> {
    /// Returns the key of the call.
    pub(crate) fn key(&self) -> K {
        self.key
    }

    /// Hands the answer to all waiting callers.
    pub(crate) fn finish(self, answer: V) {
        self.sender.send_replace(Some(answer));
    }
}

impl<K: Ord + Copy, V: Clone> Drop for Lead<'_, K, V> {
    fn drop(&mut self) {
        let mut running = self.calls.running.lock().unwrap_or_else(PoisonError::into_inner);
        running.remove(&self.key);
    }
}

/// Waits for the answer of the leading caller; `None` if it ends without one.
pub(crate) async fn follow<V: Clone>(mut receiver: watch::Receiver<Option<V>>) -> Option<V> {
    let answer = receiver.wait_for(Option::is_some).await;
    answer.ok().and_then(|answer| answer.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_leads_and_the_others_learn_the_answer() {
        let calls = SharedCalls::<u8, u32>::default();
        let Role::Lead(lead) = calls.join(1) else { panic!("nobody else is there") };
        let (Role::Follow(one), Role::Follow(other)) = (calls.join(1), calls.join(1)) else {
            panic!("somebody leads already")
        };
        assert!(matches!(calls.join(2), Role::Lead(_)));
        lead.finish(7);
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        assert_eq!(runtime.block_on(follow(one)), Some(7));
        assert_eq!(runtime.block_on(follow(other)), Some(7));
        let Role::Lead(lead) = calls.join(1) else { panic!("it is over") };
        let Role::Follow(left_alone) = calls.join(1) else { panic!("somebody leads") };
        drop(lead);
        assert_eq!(runtime.block_on(follow(left_alone)), None);
    }
}
