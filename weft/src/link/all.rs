//! Steps that run at the same time.

use weft_workers::Workers;

use super::kept::{Keeper, KeptStep};
use super::progress::Progress;

/// Gets the results of steps that need nothing of each other, and tells how far they are. Returns
/// their messages, in the order of the steps.
pub(super) fn all(
    steps: &[KeptStep],
    workers: &Workers,
    keeper: &Keeper<'_>,
) -> anyhow::Result<String> {
    let progress = Progress::new(steps.iter().map(|kept| kept.step.work));
    let run = |kept: &KeptStep| {
        let messages = keeper.get(kept);
        keeper.tell(progress.ended(&kept.step));
        messages
    };
    workers.map(steps, run).into_iter().collect()
}
