//! The measured jobs of a build, and their form as JSON.
//!
//! ```json
//! {
//!   "version": 1,
//!   "program": "transport",
//!   "measured": "each step alone; the median of 3 builds",
//!   "units": 31,
//!   "files": [{"name": "backend-job", "bytes": 42596744, "is_tool": true}],
//!   "jobs": [{
//!     "phase": "codegen", "unit": "src/a.cu", "runs_here": false,
//!     "seconds": 0.51, "processor_seconds": 0.5, "memory_bytes": 97000000, "estimated_cost": 812,
//!     "reads": [0, 3], "writes": [4]
//!   }]
//! }
//! ```
//!
//! `reads` and `writes` are positions in `files`. A job can start when all files are there that it
//! reads, so the edges between jobs follow from the files.

use std::path::Path;

use dev_process::{Error, Result, while_trying};
use serde::{Deserialize, Serialize};

/// Value of `version`.
const VERSION: u32 = 1;

/// All jobs of one build.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Jobs {
    /// Version of the form: 1.
    pub version: u32,
    /// Name of the program.
    pub program: String,
    /// How the figures came about, for a reader.
    pub measured: String,
    /// Number of units with device code.
    pub units: usize,
    /// Files that the jobs read and write.
    pub files: Vec<DataFile>,
    /// The jobs.
    pub jobs: Vec<Job>,
}

/// A file that some job reads or writes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DataFile {
    /// Name of the file, for messages.
    pub name: String,
    /// Size of the file.
    pub bytes: u64,
    /// Whether it is an executable, which every job of its kind reads.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_tool: bool,
}

/// One process of the build.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Job {
    /// The phase, such as `codegen`.
    pub phase: String,
    /// The unit, or nothing for a job of the whole program.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub unit: String,
    /// Whether the job runs on the machine that starts the build, such as nvlink's.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub runs_here: bool,
    /// Wall time on a processor that does nothing else.
    pub seconds: f64,
    /// Processor time of all processes of the job.
    pub processor_seconds: f64,
    /// Largest number of bytes that were resident in one process of the job.
    pub memory_bytes: u64,
    /// The thin link's estimate for the job's module; 0 where it makes none.
    #[serde(default)]
    pub estimated_cost: u64,
    /// Positions of the files that the job reads.
    pub reads: Vec<usize>,
    /// Positions of the files that the job writes.
    pub writes: Vec<usize>,
}

impl Jobs {
    /// Returns a build without jobs.
    pub fn new(program: &str, measured: &str, units: usize) -> Self {
        let (program, measured) = (program.to_owned(), measured.to_owned());
        Self { version: VERSION, program, measured, units, files: Vec::new(), jobs: Vec::new() }
    }

    /// Adds a file and returns its position.
    pub fn file(&mut self, name: &str, bytes: u64, is_tool: bool) -> usize {
        self.files.push(DataFile { name: name.to_owned(), bytes, is_tool });
        self.files.len() - 1
    }

    /// Reads and checks a file.
    pub fn load(path: &Path) -> Result<Self> {
        let text = std::fs::read(path).map_err(while_trying("read", path))?;
        let jobs: Self = serde_json::from_slice(&text)
            .map_err(|error| Error::new(format!("{}: {error}", path.display())))?;
        jobs.order().map_err(|error| Error::new(format!("{}: {error}", path.display())))?;
        Ok(jobs)
    }

    /// Writes the jobs as JSON, one file and one job in a line.
    pub fn save(&self, path: &Path) -> Result<()> {
        let line = |value: serde_json::Result<String>| {
            value.map_err(|error| Error::new(format!("cannot write {}: {error}", path.display())))
        };
        let files: Vec<String> = self
            .files
            .iter()
            .map(|file| line(serde_json::to_string(file)))
            .collect::<Result<_>>()?;
        let jobs: Vec<String> =
            self.jobs.iter().map(|job| line(serde_json::to_string(job))).collect::<Result<_>>()?;
        let text = format!(
            "{{\n\"version\": {},\n\"program\": {},\n\"measured\": {},\n\"units\": {},\n\"files\": \
             [\n{}\n],\n\"jobs\": [\n{}\n]\n}}\n",
            self.version,
            line(serde_json::to_string(&self.program))?,
            line(serde_json::to_string(&self.measured))?,
            self.units,
            files.join(",\n"),
            jobs.join(",\n")
        );
        std::fs::write(path, text).map_err(while_trying("write", path))
    }

    /// Returns for each file the job that writes it.
    pub fn writers(&self) -> Result<Vec<Option<usize>>> {
        let mut writers = vec![None; self.files.len()];
        for (number, job) in self.jobs.iter().enumerate() {
            for &file in &job.writes {
                match writers.get_mut(file) {
                    Some(writer @ None) => *writer = Some(number),
                    Some(Some(_)) => {
                        return Err(Error::new(format!(
                            "two jobs write {}",
                            self.files[file].name
                        )));
                    }
                    None => return Err(Error::new(format!("job {number} writes no file {file}"))),
                }
            }
        }
        Ok(writers)
    }

    /// Returns for each job the jobs that it waits for, sorted.
    pub fn predecessors(&self) -> Result<Vec<Vec<usize>>> {
        let writers = self.writers()?;
        let mut predecessors = Vec::with_capacity(self.jobs.len());
        for (number, job) in self.jobs.iter().enumerate() {
            let mut before = Vec::new();
            for &file in &job.reads {
                let writer = writers.get(file).ok_or_else(|| {
                    Error::new(format!("job {number} reads file {file}, which is not listed"))
                })?;
                before.extend(*writer);
            }
            before.sort_unstable();
            before.dedup();
            predecessors.push(before);
        }
        Ok(predecessors)
    }

    /// Returns the jobs in an order in which each comes after all that it waits for, or says what
    /// is wrong with them.
    pub fn order(&self) -> Result<Vec<usize>> {
        if self.version != VERSION {
            return Err(Error::new(format!("version {} is not {VERSION}", self.version)));
        }
        let is_time = |seconds: f64| seconds.is_finite() && seconds >= 0.0;
        for job in &self.jobs {
            if !is_time(job.seconds) || !is_time(job.processor_seconds) {
                let name = format!("{} {}", job.phase, job.unit);
                return Err(Error::new(format!("{name}: a time is no number of seconds")));
            }
        }
        let predecessors = self.predecessors()?;
        let mut waits: Vec<usize> = predecessors.iter().map(Vec::len).collect();
        let successors = successors(&predecessors);
        let mut order: Vec<usize> = (0..waits.len()).filter(|&job| waits[job] == 0).collect();
        let mut next = 0;
        while next < order.len() {
            for &job in &successors[order[next]] {
                waits[job] -= 1;
                if waits[job] == 0 {
                    order.push(job);
                }
            }
            next += 1;
        }
        if order.len() == waits.len() {
            Ok(order)
        } else {
            Err(Error::new("some jobs wait for each other"))
        }
    }

    /// Returns the sum of the jobs' wall times: the build on one processor.
    pub fn work(&self) -> f64 {
        self.jobs.iter().map(|job| job.seconds).sum()
    }
}

/// Turns lists of jobs before each job into lists of jobs after it.
pub fn successors(predecessors: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut successors = vec![Vec::new(); predecessors.len()];
    for (job, before) in predecessors.iter().enumerate() {
        for &earlier in before {
            successors[earlier].push(job);
        }
    }
    successors
}

/// Makes jobs for tests: each with its seconds and the jobs that it waits for, of which it reads a
/// file of a byte.
#[cfg(test)]
pub(crate) fn graph(nodes: &[(f64, &[usize])]) -> Jobs {
    let mut jobs = Jobs::new("test", "by hand", nodes.len());
    for (number, &(seconds, before)) in nodes.iter().enumerate() {
        let file = jobs.file(&format!("file {number}"), 1, false);
        jobs.jobs.push(Job {
            phase: "codegen".to_owned(),
            unit: number.to_string(),
            runs_here: false,
            seconds,
            processor_seconds: seconds,
            memory_bytes: 0,
            estimated_cost: 0,
            reads: before.to_vec(),
            writes: vec![file],
        });
    }
    jobs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jobs_come_back_from_their_file() {
        let jobs = graph(&[(1.5, &[]), (0.25, &[0])]);
        let path = std::env::temp_dir().join(format!("weft-jobs-{}", std::process::id()));
        jobs.save(&path).unwrap();
        assert_eq!(Jobs::load(&path).unwrap(), jobs);
        std::fs::write(&path, "{\"version\": 1, \"jobs\": []}").unwrap();
        let error = Jobs::load(&path).unwrap_err();
        assert!(error.message().contains("missing field"), "{error}");
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn edges_follow_from_files() {
        let jobs = graph(&[(1.0, &[]), (1.0, &[]), (1.0, &[1, 0, 0])]);
        assert_eq!(jobs.predecessors().unwrap(), [vec![], vec![], vec![0, 1]]);
        assert_eq!(successors(&jobs.predecessors().unwrap()), [vec![2], vec![2], vec![]]);
        assert_eq!(jobs.order().unwrap(), [0, 1, 2]);
    }

    #[test]
    fn what_cannot_be_a_build_is_refused() {
        let refusal = |jobs: &Jobs| jobs.order().unwrap_err().message().to_owned();
        let mut jobs = graph(&[(1.0, &[1]), (1.0, &[0])]);
        assert_eq!(refusal(&jobs), "some jobs wait for each other");
        jobs.jobs[0].writes.push(1);
        assert_eq!(refusal(&jobs), "two jobs write file 1");
        jobs.jobs[0].writes = vec![2];
        assert_eq!(refusal(&jobs), "job 0 writes no file 2");
        jobs.jobs[0].writes = vec![0];
        jobs.jobs[1].reads = vec![9];
        assert_eq!(refusal(&jobs), "job 1 reads file 9, which is not listed");
        jobs.jobs[1].seconds = f64::NAN;
        assert_eq!(refusal(&jobs), "codegen 1: a time is no number of seconds");
        jobs.version = 2;
        assert_eq!(refusal(&jobs), "version 2 is not 1");
    }
}
