//! The thin link's classes of memory and time beside measured jobs, and the line that fits them.
//!
//! A class is an upper limit, so it is wrong where a job needs more. How much less a job needs is
//! the price of one line for all programs: what a function becomes when calls are inlined and loops
//! unrolled is not known to the thin link.

use crate::jobs::{Job, Jobs};
use crate::model::{count, number};
use weft_artifact::{JobClass, JobClasses};

/// A figure of a job.
type Value<'figures> = &'figures dyn Fn(&Job) -> f64;

/// Bytes of a MiB.
const MIB: f64 = 1024.0 * 1024.0;

/// Returns lines with the fitted line of each phase, its error, and the shares of jobs that need
/// more than their class.
pub fn compare(programs: &[Jobs]) -> Vec<String> {
    let jobs = || programs.iter().flat_map(|program| &program.jobs);
    let mut lines = Vec::new();
    let (mut all, mut memory_misses, mut time_misses) = (0, 0, 0);
    for phase in ["codegen", "assemble"] {
        let of_phase: Vec<&Job> = jobs().filter(|job| job.phase == phase).collect();
        let memory = |job: &Job| number(job.memory_bytes) / MIB;
        let is_over = |job: &&&Job| memory(job) > f64::from(class_of(job).memory_mib);
        let is_late = |job: &&&Job| job.processor_seconds > f64::from(class_of(job).seconds);
        all += of_phase.len();
        memory_misses += of_phase.iter().filter(is_over).count();
        time_misses += of_phase.iter().filter(is_late).count();
        let fits: [(&str, Value<'_>); 2] = [("MiB", &memory), ("s", &|job| job.processor_seconds)];
        for (unit, value) in fits {
            let points: Vec<(f64, f64)> =
                of_phase.iter().map(|job| (number(job.estimated_cost), value(job))).collect();
            let line = Line::fit(&points);
            let largest = points.iter().map(|point| point.1).fold(0.0, f64::max);
            lines.push(format!(
                "{phase}: {:.3} {unit} + {:.3} {unit} for 1,000 instructions; mean error {:.0}%; \
                 at most {largest:.2} {unit} in {} jobs",
                line.start,
                line.slope * 1000.0,
                100.0 * line.mean_error(&points),
                points.len()
            ));
        }
    }
    for (name, misses) in [("memory", memory_misses), ("time", time_misses)] {
        lines.push(format!("{name}_class_misses {:.4}", count(misses) / count(all.max(1))));
    }
    lines
}

fn class_of(job: &Job) -> JobClass {
    let classes = JobClasses::of(job.estimated_cost);
    if job.phase == "codegen" { classes.codegen } else { classes.assemble }
}

/// A line through points with the least squares of the distances.
struct Line {
    start: f64,
    slope: f64,
}

impl Line {
    fn fit(points: &[(f64, f64)]) -> Self {
        let n = count(points.len().max(1));
        let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / n;
        let (x, y) = (mean(|point| point.0), mean(|point| point.1));
        let products = points.iter().map(|point| (point.0 - x) * (point.1 - y)).sum::<f64>();
        let squares = points.iter().map(|point| (point.0 - x).powi(2)).sum::<f64>();
        let slope = if squares > 0.0 { products / squares } else { 0.0 };
        Self { start: y - slope * x, slope }
    }

    /// Returns the mean of the relative errors.
    fn mean_error(&self, points: &[(f64, f64)]) -> f64 {
        let error = |&(x, y): &(f64, f64)| (self.start + self.slope * x - y).abs() / y.max(1e-3);
        points.iter().map(error).sum::<f64>() / count(points.len().max(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jobs::graph;
    use weft_action::{Phase, memory_for};

    #[test]
    fn a_line_goes_through_its_points() {
        let points = [(1.0, 5.0), (2.0, 7.0), (4.0, 11.0)];
        let line = Line::fit(&points);
        assert!((line.start - 3.0).abs() < 1e-9 && (line.slope - 2.0).abs() < 1e-9);
        assert!(line.mean_error(&points) < 1e-9);
        assert!((Line { start: 0.0, slope: 1.0 }.mean_error(&[(1.0, 2.0)]) - 0.5).abs() < 1e-9);
        assert!(Line::fit(&[]).mean_error(&[]) < 1e-9);
    }

    #[test]
    fn no_measured_job_needs_more_than_the_sizes_of_its_inputs_allow() {
        let data = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("data");
        let mut checked = 0;
        for program in ["cub", "functors", "generated", "ggml", "transport"] {
            let program = Jobs::load(&data.join(program).with_extension("json")).unwrap();
            for job in &program.jobs {
                let phase = match job.phase.as_str() {
                    "codegen" => Phase::Codegen,
                    "assemble" => Phase::Assemble,
                    _ => continue,
                };
                let inputs = job.reads.iter().map(|&position| &program.files[position]);
                let bytes = inputs.filter(|file| !file.is_tool).map(|file| file.bytes).sum();
                let limit = memory_for(phase, bytes).unwrap().0;
                assert!(job.memory_bytes <= limit, "{}: {bytes} bytes, {job:?}", program.program);
                checked += 1;
            }
        }
        assert_eq!(checked, 186);
    }

    #[test]
    fn a_job_beyond_its_class_is_a_miss() {
        // The first of four codegens needs more than the 512 MiB of its class.
        let mut jobs = graph(&[(0.5, &[]), (0.5, &[]), (0.5, &[]), (2.0, &[])]);
        jobs.jobs[0].memory_bytes = 600 << 20;
        jobs.jobs[1].memory_bytes = 500 << 20;
        let lines = compare(&[jobs]);
        assert!(lines.contains(&"memory_class_misses 0.2500".to_owned()), "{lines:?}");
        assert!(lines.contains(&"time_class_misses 0.2500".to_owned()), "{lines:?}");
        assert!(lines[0].contains("in 4 jobs"), "{lines:?}");
    }
}
