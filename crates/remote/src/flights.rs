//! Merges calls for the same thing that are made at the same time: the first makes it, the others
//! wait for its answer.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use tokio::sync::watch;

/// What is under way, by its key. Followers get a copy of the answer.
#[derive(Debug)]
pub(crate) struct Flights<K, V> {
    running: Mutex<BTreeMap<K, watch::Receiver<Option<V>>>>,
}

/// What a caller is to do.
pub(crate) enum Seat<'flights, K: Ord + Copy, V: Clone> {
    /// Make the call and report with [`Lead::finish`].
    Lead(Lead<'flights, K, V>),
    /// Wait with [`follow`].
    Follow(watch::Receiver<Option<V>>),
}

/// The duty to make a call. If it ends without an answer, those who wait learn that.
pub(crate) struct Lead<'flights, K: Ord + Copy, V: Clone> {
    flights: &'flights Flights<K, V>,
    key: K,
    sender: watch::Sender<Option<V>>,
}

impl<K, V> Default for Flights<K, V> {
    fn default() -> Self {
        Self { running: Mutex::default() }
    }
}

impl<K: Ord + Copy, V: Clone> Flights<K, V> {
    /// Takes part in the call for `key`.
    pub(crate) fn board(&self, key: K) -> Seat<'_, K, V> {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(receiver) = running.get(&key) {
            return Seat::Follow(receiver.clone());
        }
        let (sender, receiver) = watch::channel(None);
        running.insert(key, receiver);
        Seat::Lead(Lead { flights: self, key, sender })
    }
}

impl<K: Ord + Copy, V: Clone> Lead<'_, K, V> {
    /// What the call is for.
    pub(crate) fn key(&self) -> K {
        self.key
    }

    /// Hands the answer to all who wait.
    pub(crate) fn finish(self, answer: V) {
        self.sender.send_replace(Some(answer));
    }
}

impl<K: Ord + Copy, V: Clone> Drop for Lead<'_, K, V> {
    fn drop(&mut self) {
        let mut running = self.flights.running.lock().unwrap_or_else(PoisonError::into_inner);
        running.remove(&self.key);
    }
}

/// The answer of the one who leads; `None` if it has none.
pub(crate) async fn follow<V: Clone>(mut receiver: watch::Receiver<Option<V>>) -> Option<V> {
    let answer = receiver.wait_for(Option::is_some).await;
    answer.ok().and_then(|answer| answer.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_leads_and_the_others_learn_what_it_learnt() {
        let flights = Flights::<u8, u32>::default();
        let Seat::Lead(lead) = flights.board(1) else { panic!("nobody else is there") };
        let (Seat::Follow(one), Seat::Follow(other)) = (flights.board(1), flights.board(1)) else {
            panic!("somebody leads already")
        };
        assert!(matches!(flights.board(2), Seat::Lead(_)));
        lead.finish(7);
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        assert_eq!(runtime.block_on(follow(one)), Some(7));
        assert_eq!(runtime.block_on(follow(other)), Some(7));
        let Seat::Lead(lead) = flights.board(1) else { panic!("it is over") };
        let Seat::Follow(left_alone) = flights.board(1) else { panic!("somebody leads") };
        drop(lead);
        assert_eq!(runtime.block_on(follow(left_alone)), None);
    }
}
