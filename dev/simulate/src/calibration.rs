//! Costs of an action beside its own work, measured by three builds of a small program.
//!
//! 1. On this machine, one step after the other: the work of each step.
//! 2. On a server with one worker, one step after the other. What a step takes longer is the whole
//!    overhead of an action of its phase.
//! 3. On the same server with many steps at a time, so that the worker always has a next action.
//!    What the build takes longer than its work is the part of the overhead that holds the worker.
//!
//! The processor time of the client's processes and of the server divides these parts further. The
//! program is another one than those that are predicted.

use std::collections::BTreeMap;

use crate::cluster::Overhead;
use crate::gather::median;
use crate::model::count;
use dev_builds::MeasuredStep;

/// The phases that a cluster runs.
pub const PHASES: [&str; 6] =
    ["summarize", "summarize-host", "thinlink", "import", "codegen", "assemble"];

/// The three builds.
#[derive(Debug)]
pub struct Calibration<'steps> {
    /// The steps of builds on this machine, one step after the other.
    pub here: &'steps [Vec<MeasuredStep>],
    /// The steps of builds on the server, one step after the other.
    pub alone: &'steps [Vec<MeasuredStep>],
    /// The steps of builds on the server, many at a time.
    pub crowded: &'steps [Vec<MeasuredStep>],
    /// Seconds of processor time that the server and its workers took in one build of `alone`.
    pub server_processor: f64,
}

impl Calibration<'_> {
    /// Returns the overhead of an action of each phase.
    pub fn overheads(&self) -> BTreeMap<String, Overhead> {
        let actions = self.here.first().map_or(0, |run| of_cluster(run).count()).max(1);
        let work: f64 = middle(self.here, |run| of_cluster(run).map(|step| step.seconds).sum());
        let alone: f64 = middle(self.alone, |run| of_cluster(run).map(|step| step.seconds).sum());
        let processor: f64 =
            middle(self.here, |run| of_cluster(run).map(|step| step.processor_seconds).sum());
        let total = ((alone - work) / count(actions)).max(0.0);
        let held = middle(self.crowded, crowded_seconds) - work;
        // The client computes for the next actions while the worker runs one.
        let client: f64 =
            middle(self.alone, |run| of_cluster(run).map(|step| step.processor_seconds).sum());
        let free = (total - client / count(actions)).max(0.0);
        let held = (held / count(actions)).clamp(0.0, free);
        let computed = ((self.server_processor - processor) / count(actions)).clamp(0.0, held);
        let share = |part: f64, whole: f64| if whole > 0.0 { part / whole } else { 0.0 };
        let (held, computed) = (share(held, total), share(computed, held));
        let phases = PHASES.into_iter().map(|phase| {
            let here = phase_seconds(self.here, phase, |step| step.seconds);
            let alone = phase_seconds(self.alone, phase, |step| step.seconds);
            let client = phase_seconds(self.alone, phase, |step| step.processor_seconds);
            let total = (alone - here).max(0.0);
            let held = held * total;
            let client = client.min(total - held);
            let overhead = Overhead {
                client,
                worker: computed * held,
                waiting: (1.0 - computed) * held,
                reply: total - held - client,
            };
            (phase.to_owned(), overhead)
        });
        phases.collect()
    }
}

fn of_cluster(run: &[MeasuredStep]) -> impl Iterator<Item = &MeasuredStep> {
    run.iter().filter(|step| PHASES.contains(&step.verb.as_str()))
}

fn middle(runs: &[Vec<MeasuredStep>], value: impl Fn(&[MeasuredStep]) -> f64) -> f64 {
    median(runs.iter().map(|run| value(run)))
}

/// Returns the mean of a phase's steps in the middle run.
fn phase_seconds(
    runs: &[Vec<MeasuredStep>],
    phase: &str,
    value: impl Fn(&MeasuredStep) -> f64,
) -> f64 {
    middle(runs, |run| {
        let values: Vec<f64> = run.iter().filter(|step| step.verb == phase).map(&value).collect();
        values.iter().sum::<f64>() / count(values.len().max(1))
    })
}

/// Returns the time in which some step of the cluster ran.
fn crowded_seconds(run: &[MeasuredStep]) -> f64 {
    let mut spans: Vec<(f64, f64)> =
        of_cluster(run).map(|step| (step.start, step.start + step.seconds)).collect();
    spans.sort_by(|one, other| one.0.total_cmp(&other.0));
    let (mut sum, mut end) = (0.0, 0.0_f64);
    for (from, to) in spans {
        sum += (to - from.max(end)).max(0.0);
        end = end.max(to);
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(verb: &str, start: f64, seconds: f64, processor_seconds: f64) -> MeasuredStep {
        let (verb, unit) = (verb.to_owned(), "u".to_owned());
        MeasuredStep { verb, unit, start, seconds, processor_seconds, memory_bytes: 0 }
    }

    #[test]
    fn the_overhead_is_divided() {
        // Two codegens of 2 s take 3 s each on the server, and 5 s together where they overlap: of
        // the second of overhead, half holds the worker. The server computes 4.5 s in all, so half
        // of that half is computing.
        let here = [vec![step("codegen", 0.0, 2.0, 2.0), step("codegen", 2.0, 2.0, 2.0)]];
        let alone = [vec![step("codegen", 0.0, 3.0, 0.125), step("codegen", 3.0, 3.0, 0.125)]];
        let crowded = [vec![step("codegen", 0.0, 3.0, 0.0), step("codegen", 0.5, 4.5, 0.0)]];
        let calibration =
            Calibration { here: &here, alone: &alone, crowded: &crowded, server_processor: 4.5 };
        let overhead = calibration.overheads()["codegen"];
        let expected = Overhead { client: 0.125, worker: 0.25, waiting: 0.25, reply: 0.375 };
        assert_eq!(overhead, expected);
        assert_eq!(calibration.overheads()["assemble"], Overhead::default());
    }

    #[test]
    fn steps_that_overlap_count_once() {
        let steps = [("codegen", 0.0, 2.0), ("assemble", 1.0, 0.5), ("import", 5.0, 1.0)];
        let run = steps.map(|(verb, start, seconds)| step(verb, start, seconds, 0.0));
        assert!((crowded_seconds(&run) - 3.0).abs() < 1e-12);
    }
}
