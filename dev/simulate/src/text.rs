//! The results of simulations as text.

use crate::cluster::Cluster;
use crate::engine::simulate;
use crate::jobs::Jobs;
use crate::model::number;
use crate::priority::Rule;
use dev_process::Result;

/// Simulates a build on clusters that differ in the number of workers, and returns the lines of a
/// table of Markdown.
pub fn table(
    jobs: &Jobs,
    cluster: &Cluster,
    workers: &[usize],
    rule: Rule,
    seed: u64,
) -> Result<Vec<String>> {
    let mut lines = vec![
        "| workers | wall time | speed-up | critical path | sent | limited by | needed at least |"
            .to_owned(),
        "|---:|---:|---:|---:|---:|---|---:|".to_owned(),
    ];
    for &workers in workers {
        let outcome = simulate(jobs, &Cluster { workers, ..cluster.clone() }, rule, seed)?;
        let (name, bound) = outcome.binding();
        lines.push(format!(
            "| {workers} | {:.1} s | {:.1} | {:.1} s | {:.0} MB | {name} | {bound:.1} s |",
            outcome.wall,
            jobs.work() / outcome.wall,
            outcome.critical_path,
            number(outcome.sent) / 1e6,
        ));
    }
    Ok(lines)
}

/// Describes a program in a line.
pub fn describe(jobs: &Jobs) -> String {
    format!(
        "{}: {} units, {} jobs, {:.1} s of work ({})",
        jobs.program,
        jobs.units,
        jobs.jobs.len(),
        jobs.work(),
        jobs.measured
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::ideal;
    use crate::jobs::graph;

    #[test]
    fn a_row_says_what_limits_the_build() {
        let jobs = graph(&[(2.0, &[]), (2.0, &[])]);
        let lines = table(&jobs, &ideal(9), &[1, 2], Rule::Hlfet, 1).unwrap();
        let rows = [
            "| 1 | 4.0 s | 1.0 | 2.0 s | 0 MB | slots of workers | 4.0 s |",
            "| 2 | 2.0 s | 2.0 | 2.0 s | 0 MB | slots of workers | 2.0 s |",
        ];
        assert_eq!(lines[2..], rows);
        assert_eq!(describe(&jobs), "test: 2 units, 2 jobs, 4.0 s of work (by hand)");
    }
}
