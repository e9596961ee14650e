//! The jobs as a trace that Perfetto and the viewers of browsers open: the Trace Event Format.
//!
//! The page exports the same events ([trace.js](page/js/trace.js)): a row for each worker, an event
//! for each job that this build ran, and arrows along the critical path.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use serde::Serialize;

use crate::data::{BuildReport, Job, JobOrigin};

/// The whole trace.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Trace<'all> {
    trace_events: Vec<Event<'all>>,
    display_time_unit: &'static str,
}

/// One event. Times are in microseconds.
#[derive(Default, Serialize)]
struct Event<'all> {
    /// Kind: `M` names a row, `X` is a job, an arrow goes from `s` to `f`.
    ph: &'static str,
    name: String,
    #[serde(skip_serializing_if = "str::is_empty")]
    cat: &'all str,
    pid: u32,
    tid: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<usize>,
    /// End of an arrow: `e` for the event around that time.
    #[serde(skip_serializing_if = "str::is_empty")]
    bp: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    ts: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    dur: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    args: Option<Arguments<'all>>,
}

/// Details that a viewer shows about an event.
#[derive(Serialize)]
#[serde(untagged)]
enum Arguments<'all> {
    Row {
        name: &'all str,
    },
    Job {
        origin: JobOrigin,
        #[serde(skip_serializing_if = "str::is_empty")]
        why: &'all str,
        #[serde(skip_serializing_if = "Option::is_none")]
        saved: Option<u64>,
    },
}

/// Returns the trace of the jobs that the build ran, as JSON.
pub fn trace(report: &BuildReport) -> serde_json::Result<Vec<u8>> {
    let jobs: Vec<&Job> = report.jobs.iter().filter(|job| !job.earlier).collect();
    let workers: BTreeSet<&str> = jobs.iter().map(|job| job.worker.as_str()).collect();
    let mut workers: Vec<&str> = workers.into_iter().collect();
    workers.sort_by(|one, other| by_number(one, other));
    let row =
        |job: &Job| workers.iter().position(|name| *name == job.worker).map_or(0, |at| at + 1);
    let named = |name: &str, tid: usize, args| Event {
        ph: "M",
        name: name.to_owned(),
        pid: 1,
        tid,
        args: Some(Arguments::Row { name: args }),
        ..Event::default()
    };
    let or = |text, other| if str::is_empty(text) { other } else { text };
    let rows = (1..).zip(&workers);
    let mut events: Vec<_> =
        rows.map(|(tid, name)| named("thread_name", tid, or(name, "worker"))).collect();
    events.push(named("process_name", 0, or(&report.title, "build")));
    events.extend(jobs.iter().map(|job| Event {
        ph: "X",
        name: format!("{} {}", job.phase, subject(report, job)),
        cat: &job.phase,
        pid: 1,
        tid: row(job),
        ts: Some(job.start),
        dur: Some(job.took),
        args: Some(Arguments::Job {
            origin: job.origin,
            why: &job.why,
            saved: Some(job.saved).filter(|saved| *saved > 0),
        }),
        ..Event::default()
    }));
    let path = report.critical_path.iter().filter_map(|at| report.jobs.get(*at as usize));
    let path: Vec<&Job> = path.filter(|job| !job.earlier).collect();
    for (id, pair) in (1..).zip(path.windows(2)) {
        let step = |ph, bp, job, ts| Event {
            ph,
            name: "critical path".to_owned(),
            cat: "critical path",
            id: Some(id),
            pid: 1,
            tid: row(job),
            bp,
            ts: Some(ts),
            ..Event::default()
        };
        events.push(step("s", "", pair[0], pair[0].start.saturating_add(pair[0].took)));
        events.push(step("f", "e", pair[1], pair[1].start));
    }
    serde_json::to_vec(&Trace { trace_events: events, display_time_unit: "ms" })
}

/// Returns the name of a job's object: its module's id, or what it says itself.
pub(crate) fn subject<'all>(report: &'all BuildReport, job: &'all Job) -> &'all str {
    let module = job.module.and_then(|module| report.modules.get(module as usize));
    module.map_or(job.subject.as_str(), |module| &module.id)
}

/// Orders names by their parts, of which those of digits count as numbers.
fn by_number(one: &str, other: &str) -> Ordering {
    if let (Some((one, rest)), Some((other, others))) = (digits(one), digits(other)) {
        let number = |text: &str| text.trim_start_matches('0').to_owned();
        let (one, other) = (number(one), number(other));
        let order = one.len().cmp(&other.len()).then_with(|| one.cmp(&other));
        return order.then_with(|| by_number(rest, others));
    }
    let (mut letters, mut others) = (one.chars(), other.chars());
    match (letters.next(), others.next()) {
        (Some(letter), Some(other)) if letter == other => {
            by_number(letters.as_str(), others.as_str())
        }
        (letter, other) => letter.cmp(&other),
    }
}

/// Divides a text into the digits at its start and the rest, if there are some.
fn digits(text: &str) -> Option<(&str, &str)> {
    let end = text.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(text.len());
    (end > 0).then(|| text.split_at(end))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::data::Module;

    #[test]
    fn workers_are_ordered_by_their_numbers() {
        let mut names = ["10", "9", "worker-12", "worker-2", "", "1", "worker"];
        names.sort_by(|one, other| by_number(one, other));
        assert_eq!(names, ["", "1", "9", "10", "worker", "worker-2", "worker-12"]);
    }

    /// The events are those of `traceEvents` in `trace.js`.
    #[test]
    fn a_trace_has_rows_and_jobs_and_arrows_along_the_critical_path() {
        let job = |phase: &str, start, worker: &str| Job {
            phase: phase.to_owned(),
            start,
            took: 5,
            worker: worker.to_owned(),
            ..Job::default()
        };
        let report = BuildReport {
            modules: vec![Module { id: "a.cu".to_owned(), ..Module::default() }],
            jobs: vec![
                Job { earlier: true, ..job("summarize", 0, "3") },
                Job { subject: "program".to_owned(), ..job("thinlink", 1, "10") },
                Job {
                    module: Some(0),
                    origin: JobOrigin::Cache,
                    why: "the plan was made again".to_owned(),
                    saved: 70,
                    ..job("import", 8, "9")
                },
            ],
            critical_path: vec![0, 1, 2],
            ..BuildReport::new("")
        };
        let made: Value = serde_json::from_slice(&trace(&report).unwrap()).unwrap();
        let expected = json!({
            "traceEvents": [
                {"ph": "M", "name": "thread_name", "pid": 1, "tid": 1, "args": {"name": "9"}},
                {"ph": "M", "name": "thread_name", "pid": 1, "tid": 2, "args": {"name": "10"}},
                {"ph": "M", "name": "process_name", "pid": 1, "tid": 0, "args": {"name": "build"}},
                {"ph": "X", "name": "thinlink program", "cat": "thinlink", "pid": 1, "tid": 2,
                 "ts": 1, "dur": 5, "args": {"origin": "here"}},
                {"ph": "X", "name": "import a.cu", "cat": "import", "pid": 1, "tid": 1,
                 "ts": 8, "dur": 5,
                 "args": {"origin": "cache", "why": "the plan was made again", "saved": 70}},
                {"ph": "s", "name": "critical path", "cat": "critical path", "id": 1, "pid": 1,
                 "tid": 2, "ts": 6},
                {"ph": "f", "name": "critical path", "cat": "critical path", "id": 1, "pid": 1,
                 "tid": 1, "bp": "e", "ts": 8},
            ],
            "displayTimeUnit": "ms",
        });
        assert_eq!(made, expected);
    }
}
