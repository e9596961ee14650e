//! Steps that run at the same time.

use weft_workers::Workers;

use super::progress::Progress;
use super::run::Step;

/// Runs steps that need nothing of each other, and tells how far they are. Returns their messages,
/// in the order of the steps.
pub(super) fn all(
    steps: &[Step],
    workers: &Workers,
    tell: &(dyn Fn(String) + Sync),
) -> anyhow::Result<String> {
    let progress = Progress::new(steps);
    let run = |step: &Step| {
        let messages = step.messages();
        tell(progress.ended(step));
        messages
    };
    workers.map(steps, run).into_iter().collect()
}
