//! Puts the figures of a build into the file of feedback.

use weft_artifact::{Feedback, KernelChoice, KernelFeedback, KernelTrial};

use super::cost::cost;
use super::measure::{Kernels, Measured};
use super::next::{best, candidates, next};

/// Returns the feedback of a build that followed the choices of `previous` and made `kernels`.
///
/// Kernels about which nothing can be done are left out. Kernels of the build's architectures that
/// it lacks go; those of other architectures stay. If `is_last`, the choices are the best ones that
/// were built.
pub(super) fn merge(previous: &Feedback, kernels: &Kernels, is_last: bool) -> Feedback {
    let mut merged: Vec<KernelFeedback> = previous
        .kernels()
        .iter()
        .filter(|known| kernels.keys().all(|(architecture, _)| *architecture != known.architecture))
        .cloned()
        .collect();
    for ((architecture, kernel), measured) in kernels {
        let known = previous
            .kernels()
            .iter()
            .find(|known| known.architecture == *architecture && known.kernel == *kernel);
        if known.is_none()
            && candidates(&measured.figures, architecture, &measured.resources).is_empty()
        {
            continue;
        }
        let (built, mut tried) =
            known.map_or_else(Default::default, |known| (known.choice, known.tried.clone()));
        add(&mut tried, built, measured);
        let choice = next(&tried, architecture, &measured.resources, is_last);
        merged.push(KernelFeedback {
            architecture: architecture.clone(),
            kernel: kernel.clone(),
            choice,
            tried,
        });
    }
    Feedback::new(merged)
}

/// Adds the figures of a build by the choice `built`, instead of earlier ones.
fn add(tried: &mut Vec<KernelTrial>, built: KernelChoice, measured: &Measured) {
    let trial = KernelTrial { choice: built, ..measured.figures };
    match tried.iter_mut().find(|known| known.choice == built) {
        Some(known) => *known = trial,
        None => tried.push(trial),
    }
}

/// Returns the feedback with the best choices that were built.
pub(super) fn settled(feedback: &Feedback) -> Feedback {
    let kernels = feedback.kernels().iter();
    let kernels =
        kernels.map(|kernel| KernelFeedback { choice: best(&kernel.tried), ..kernel.clone() });
    Feedback::new(kernels.collect())
}

/// Whether two files lead to the same build.
pub(super) fn are_alike(one: &Feedback, other: &Feedback) -> bool {
    one.choices() == other.choices()
}

/// Returns a line about what the best choices gain over the models' own, by the builds' figures.
pub(super) fn in_words(feedback: &Feedback) -> String {
    let mut changed = 0_usize;
    let (mut before, mut after) = ([0_u64; 4], [0_u64; 4]);
    for kernel in feedback.kernels() {
        let of = |choice| kernel.tried.iter().find(|trial| trial.choice == choice);
        let Some((first, chosen)) = of(KernelChoice::default()).zip(of(best(&kernel.tried))) else {
            continue;
        };
        changed += usize::from(cost(chosen) < cost(first));
        for (sums, trial) in [(&mut before, first), (&mut after, chosen)] {
            let warps = trial.warps.unwrap_or_default();
            let figures =
                [u64::from(trial.registers), u64::from(trial.stack), trial.local, warps.into()];
            for (sum, figure) in sums.iter_mut().zip(figures) {
                *sum = sum.saturating_add(figure);
            }
        }
    }
    let parts: Vec<String> = ["registers", "bytes of stack", "weighted local accesses", "warps"]
        .iter()
        .zip(before.iter().zip(after))
        .map(|(name, (before, after))| format!("{before} to {after} {name}"))
        .collect();
    let all = feedback.kernels().len();
    format!("{changed} of {all} kernels are better by a choice; all {all}: {}", parts.join(", "))
}

#[cfg(test)]
mod tests {
    use weft_container::KernelResources;

    use super::*;

    fn kernels(figures: &[(&str, u64, u64)]) -> Kernels {
        let measured = |&(name, local, cycles): &(&str, u64, u64)| {
            let figures = KernelTrial { registers: 40, local, cycles, ..KernelTrial::default() };
            let resources = KernelResources { name: name.to_owned(), ..KernelResources::default() };
            (("sm_90".to_owned(), name.to_owned()), Measured { figures, resources })
        };
        figures.iter().map(measured).collect()
    }

    fn choices(feedback: &Feedback) -> Vec<(&str, Option<u32>)> {
        let kernels = feedback.kernels().iter();
        kernels.map(|kernel| (kernel.kernel.as_str(), kernel.choice.inline_percent)).collect()
    }

    #[test]
    fn better_results_stay_and_worse_ones_are_taken_back() {
        let untuned = [("fine", 0, 10), ("gains", 6, 100), ("loses", 6, 100)];
        let first = merge(&Feedback::default(), &kernels(&untuned), false);
        assert_eq!(choices(&first), [("gains", Some(0)), ("loses", Some(0))]);
        let tried = [("fine", 0, 10), ("gains", 2, 90), ("loses", 9, 190)];
        let second = merge(&first, &kernels(&tried), false);
        assert_eq!(choices(&second), [("gains", Some(0)), ("loses", None)]);
        let back = [("fine", 0, 10), ("gains", 2, 90), ("loses", 6, 100)];
        let third = merge(&second, &kernels(&back), false);
        assert_eq!(third, second);
        assert_eq!(choices(&settled(&first)), [("gains", None), ("loses", None)]);
        assert!(are_alike(&third, &second) && !are_alike(&first, &second));
        assert_eq!(
            in_words(&third),
            "1 of 2 kernels are better by a choice; all 2: 80 to 80 registers, 0 to 0 bytes of \
             stack, 12 to 8 weighted local accesses, 0 to 0 warps"
        );
    }

    #[test]
    fn the_last_round_tries_nothing_new() {
        let untuned = kernels(&[("gains", 6, 100)]);
        assert_eq!(choices(&merge(&Feedback::default(), &untuned, true)), [("gains", None)]);
    }

    #[test]
    fn kernels_that_are_gone_go_and_other_architectures_stay() {
        let line = |architecture: &str, kernel: &str| KernelFeedback {
            architecture: architecture.to_owned(),
            kernel: kernel.to_owned(),
            ..KernelFeedback::default()
        };
        let previous = Feedback::new(vec![line("sm_90", "gone"), line("sm_80", "other")]);
        let merged = merge(&previous, &kernels(&[("fine", 0, 10)]), false);
        assert_eq!(choices(&merged), [("other", None)]);
    }
}
