//! The jobs of a build on many workers.

use weft_report::{Job, JobOrigin};

use super::drawing::{Drawing, long, small};
use super::names;

const WORKERS: usize = 24;
/// Name of each phase of a module, and its mean duration in microseconds.
const PHASES: [(&str, usize); 3] = [("import", 6_000), ("codegen", 240_000), ("assemble", 420_000)];

/// Draws the jobs, each on the worker that is free first.
pub(super) fn draw(drawing: &mut Drawing) {
    let units = drawing.report.modules.len();
    let mut free = [0_usize; WORKERS];
    let mut jobs = Vec::new();
    for unit in 0..units {
        let took = drawing.mostly_small(900, 30_000);
        let job = placed(drawing, &mut free, 0, took);
        jobs.push(Job { phase: "summarize".to_owned(), module: Some(small(unit)), ..job });
    }
    let ready = free.into_iter().max().unwrap_or(0);
    let job = placed(drawing, &mut free, ready, 310_000);
    let end = job.start + job.took;
    jobs.push(Job {
        phase: "thinlink".to_owned(),
        subject: "sm_90".to_owned(),
        origin: JobOrigin::Here,
        saved: 0,
        ..job
    });
    let link = jobs.len() - 1;
    let mut last = (0, 0);
    for unit in 0..units {
        let mut ready = usize::try_from(end).unwrap_or(0);
        for (phase, mean) in PHASES {
            let took = mean / 5 + drawing.mostly_small(1, mean * 3);
            let job = placed(drawing, &mut free, ready, took);
            ready = usize::try_from(job.start + job.took).unwrap_or(0);
            let why = match unit % 6 {
                0 if phase == "import" => {
                    format!("input {} (was 5ae0b1c2d3e4, is 91f3c0d1e2f3)", names::unit(unit))
                }
                _ => String::new(),
            };
            jobs.push(Job { phase: phase.to_owned(), module: Some(small(unit)), why, ..job });
        }
        last = last.max((ready, jobs.len() - 1));
    }
    let (_, last) = last;
    drawing.report.epoch = 1_790_000_000_000_000;
    let module = jobs[last].module.unwrap_or(0) as usize;
    let mut order: Vec<usize> = (0..jobs.len()).collect();
    order.sort_by_key(|at| jobs[*at].start);
    let position = |job: usize| small(order.iter().position(|at| *at == job).unwrap_or(0));
    drawing.report.critical_path = [module, link, last - 2, last - 1, last].map(position).to_vec();
    drawing.report.jobs = order.iter().map(|at| jobs[*at].clone()).collect();
}

/// Returns a job that starts when it is ready and a worker is free.
fn placed(drawing: &mut Drawing, free: &mut [usize; WORKERS], ready: usize, took: usize) -> Job {
    let worker = (0..WORKERS).min_by_key(|at| free[*at].max(ready)).unwrap_or(0);
    let start = free[worker].max(ready);
    let origin = match drawing.choices.below(10) {
        0..=4 => JobOrigin::Here,
        5..=7 => JobOrigin::Cache,
        8 => JobOrigin::RemoteCache,
        _ => JobOrigin::Remote,
    };
    let is_cached = matches!(origin, JobOrigin::Cache | JobOrigin::RemoteCache);
    let lasts = if is_cached { took / 50 + 300 } else { took };
    free[worker] = start + lasts;
    Job {
        start: long(start),
        took: long(lasts),
        origin,
        worker: (worker + 1).to_string(),
        saved: if is_cached { long(took) } else { 0 },
        ..Job::default()
    }
}
