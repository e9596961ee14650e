//! Steps that run at the same time.

use std::sync::{Mutex, PoisonError};

use weft_workers::Workers;

use super::kept::{Found, Keeper, KeptStep};
use super::progress::Progress;

/// Gets the results of independent steps, and reports their progress. Adds their messages to
/// `messages`, in the order of the steps.
///
/// All caches are asked first: more threads can wait for a server than this machine has processors
/// for the steps that are left.
pub(super) fn all(
    steps: &[KeptStep],
    workers: &Workers,
    keeper: &Keeper<'_>,
    messages: &mut String,
) -> anyhow::Result<()> {
    let progress = Progress::new(steps.iter().map(|kept| kept.step.work));
    let find = |kept: &KeptStep| {
        let found = keeper.find(kept);
        if let Ok(Found::Result(_)) = &found {
            keeper.tell(progress.ended(&kept.step));
        }
        found
    };
    let found = match keeper.that_wait() {
        Some(waiting) => waiting.map(steps, find),
        None => workers.map(steps, find),
    };
    let (mut all_said, mut left) = (Vec::new(), Vec::new());
    for (position, found) in found.into_iter().enumerate() {
        let (said, missing) = match found? {
            Found::Result(said) => (said, None),
            Found::Nothing(missing) => (String::new(), Some(missing)),
        };
        all_said.push(said);
        left.extend(missing.map(|missing| (position, Mutex::new(missing))));
    }
    let made = workers.map(&left, |(position, missing)| {
        let (kept, missing) = (&steps[*position], missing.lock());
        let missing = missing.unwrap_or_else(PoisonError::into_inner).take();
        let said = keeper.make(kept, missing);
        keeper.tell(progress.ended(&kept.step));
        said
    });
    let mut failed = Ok(());
    for ((position, _), said) in left.iter().zip(made) {
        match said {
            Ok(said) => all_said[*position] = said,
            Err(error) => failed = failed.and(Err(error)),
        }
    }
    messages.push_str(&all_said.concat());
    failed
}
