//! The order in which jobs that could start are started: list scheduling.
//!
//! HLFET, "highest level first with estimated times", starts the job with the longest path to the
//! end of the build first. The level of a job is its own time and the highest level after it. It
//! is one of the rules that Adam, Chandy and Dickson compared (*A comparison of list schedules for
//! parallel processing systems*, Communications of the ACM 17(12), 1974) and found within a few
//! percent of the optimum. Without a network, any list schedule takes at most 2 − 1/m times the
//! optimum on m processors (Graham, *Bounds on multiprocessing timing anomalies*, SIAM Journal on
//! Applied Mathematics 17(2), 1969).

use dev_process::Result;

use crate::jobs::{Jobs, successors};

/// Rule of a list schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// Highest level first with estimated times.
    Hlfet,
    /// First come, first served, as build systems and servers do that know no times.
    Fifo,
}

/// Returns the level of each job: the longest path from its start to the end of the build, with
/// `time` as the time of each job.
pub(crate) fn levels(jobs: &Jobs, time: impl Fn(usize) -> f64) -> Result<Vec<f64>> {
    let successors = successors(&jobs.predecessors()?);
    let mut levels = vec![0.0; jobs.jobs.len()];
    for job in jobs.order()?.into_iter().rev() {
        let after = successors[job].iter().map(|&next| levels[next]).fold(0.0, f64::max);
        levels[job] = time(job) + after;
    }
    Ok(levels)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jobs::graph;

    #[test]
    fn a_level_is_the_longest_path_to_the_end() {
        // 0 -> 1 -> 3, 0 -> 2 -> 3
        let jobs = graph(&[(1.0, &[]), (5.0, &[0]), (2.0, &[0]), (3.0, &[1, 2])]);
        let levels = levels(&jobs, |job| jobs.jobs[job].seconds).unwrap();
        assert_eq!(levels, [9.0, 8.0, 5.0, 3.0]);
    }
}
