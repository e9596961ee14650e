//! The jobs' part of a report: when and why each job ran, and the critical path of the build.

use weft_action::{JobRecord, Origin};
use weft_report::{Job, JobOrigin};

use super::job_graph::JobGraph;
use super::placed::Placed;

/// The jobs of a report.
#[derive(Debug, Default)]
pub(super) struct Timeline {
    pub(super) jobs: Vec<Job>,
    pub(super) epoch: u64,
    pub(super) critical_path: Vec<u32>,
}

/// Returns the jobs by their start. `imports` lists the modules that a module imports from, and
/// `id` is the id of a module.
pub(super) fn timeline(
    mut placed: Vec<Placed>,
    imports: &dyn Fn(u32) -> Vec<u32>,
    id: &dyn Fn(u32) -> String,
) -> Timeline {
    placed.sort_by_cached_key(|job| {
        let JobRecord { start, took, phase, subject, .. } = &job.record;
        (*start, *took, phase.clone(), subject.clone(), job.link)
    });
    let graph = JobGraph::new(&placed, imports);
    let epoch = placed.first().map_or(0, |job| job.record.start);
    let workers = workers(&placed);
    let jobs = placed.iter().zip(workers).enumerate().map(|(at, (job, worker))| {
        let record = &job.record;
        let derived = || graph.why(at, id);
        Job {
            phase: record.phase.clone(),
            module: job.module,
            subject: if job.module.is_some() { String::new() } else { record.subject.clone() },
            start: record.start - epoch,
            took: record.took,
            origin: match record.origin {
                Origin::Here => JobOrigin::Here,
                Origin::Cache => JobOrigin::Cache,
                Origin::RemoteCache => JobOrigin::RemoteCache,
                Origin::Remote => JobOrigin::Remote,
            },
            worker,
            earlier: graph.is_earlier(at),
            why: if record.why.is_empty() { derived() } else { record.why.clone() },
            saved: record.saved,
        }
    });
    Timeline { jobs: jobs.collect(), epoch, critical_path: graph.critical_path() }
}

/// Returns the worker of each job: the name that a cluster gave it, or the number of a lane of this
/// machine, of which there are as many as jobs ran at once.
fn workers(placed: &[Placed]) -> Vec<String> {
    let mut ends: Vec<u64> = Vec::new();
    let worker = |job: &Placed| {
        if job.record.origin == Origin::Remote {
            let worker = &job.record.worker;
            return if worker.is_empty() { "cluster".to_owned() } else { worker.clone() };
        }
        let free = ends.iter().position(|end| *end <= job.record.start);
        let lane = free.unwrap_or(ends.len());
        if lane == ends.len() {
            ends.push(0);
        }
        ends[lane] = job.end();
        (lane + 1).to_string()
    };
    placed.iter().map(worker).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a job of `module` that starts at `start` and takes 10.
    fn job(phase: &str, module: Option<u32>, start: u64) -> Placed {
        let record = JobRecord { phase: phase.to_owned(), start, took: 10, ..JobRecord::default() };
        Placed { record, link: Some(0), module }
    }

    fn made(placed: Vec<Placed>) -> Timeline {
        // Module 0 imports from module 1.
        let imports = |module: u32| if module == 0 { vec![1] } else { Vec::new() };
        timeline(placed, &imports, &|module| format!("unit {module}"))
    }

    fn first_build() -> Vec<Placed> {
        vec![
            job("summarize", Some(0), 1000),
            job("summarize", Some(1), 1005),
            job("thinlink", None, 1020),
            job("import", Some(0), 1030),
            job("import", Some(1), 1031),
            job("codegen", Some(0), 1040),
            job("codegen", Some(1), 1041),
            job("assemble", Some(0), 1050),
            job("assemble", Some(1), 1055),
        ]
    }

    #[test]
    fn a_first_build_has_lanes_and_a_path_and_no_reasons() {
        let Timeline { jobs, epoch, critical_path } = made(first_build());
        assert_eq!((epoch, jobs[1].start), (1000, 5));
        let lanes: Vec<_> = jobs.iter().map(|job| job.worker.as_str()).collect();
        assert_eq!(lanes, ["1", "2", "1", "1", "2", "1", "2", "1", "2"]);
        assert!(jobs.iter().all(|job| !job.earlier && job.why.is_empty()));
        // The last assembly, back to the summary that ended last.
        assert_eq!(critical_path, [1, 2, 4, 6, 8]);
    }

    #[test]
    fn a_rebuild_says_what_is_from_before_and_why_the_rest_ran() {
        let mut placed = first_build();
        // An edit of unit 1: only module 0, which imports from it, is compiled again.
        placed[1] = job("summarize", Some(1), 5000);
        placed[2] = job("thinlink", None, 5020);
        placed[3] = job("import", Some(0), 5030);
        placed[4] = job("import", Some(1), 5030);
        placed[5] = job("codegen", Some(0), 5040);
        placed[7] = job("assemble", Some(0), 5050);
        let Timeline { jobs, critical_path, .. } = made(placed);
        let earlier: Vec<_> = jobs.iter().map(|job| job.earlier).collect();
        assert_eq!(earlier, [true, true, true, false, false, false, false, false, false]);
        let why: Vec<_> = jobs.iter().map(|job| job.why.as_str()).collect();
        let expected = [
            "",
            "",
            "",
            "the unit's object was made again",
            "the summary of unit 1 was made again",
            "the bitcode of unit 1, which it imports from, was made again",
            "the module's bitcode was made again",
            "the linked module was made again",
            "the PTX was made again",
        ];
        assert_eq!(why, expected);
        assert_eq!(critical_path, [3, 4, 5, 7, 8]);
    }

    #[test]
    fn clusters_name_their_workers() {
        let mut remote = job("codegen", Some(0), 1);
        remote.record.origin = Origin::Remote;
        assert_eq!(made(vec![remote]).jobs[0].worker, "cluster");
        let mut named = job("codegen", Some(0), 1);
        named.record = JobRecord {
            origin: Origin::Remote,
            worker: "w7".to_owned(),
            why: "input module.bc (was a, is b)".to_owned(),
            ..named.record
        };
        let jobs = made(vec![named]).jobs;
        assert_eq!((jobs[0].worker.as_str(), jobs[0].origin), ("w7", JobOrigin::Remote));
        assert!(jobs[0].why.starts_with("input module.bc"));
    }
}
