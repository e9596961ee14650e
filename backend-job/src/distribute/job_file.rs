//! The file in which LLVM's linker lists the jobs of a link.
//!
//! LLVM describes it in "DTLTO" of its documentation. The file states no version. So a key that
//! this reader does not know is an error: it may change what a job means.

use std::collections::BTreeSet;
use std::path::Path;

use serde::Deserialize;
use weft_cli::{Blame as _, Fault, failure, files};

/// All jobs of a link.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct JobFile {
    pub(crate) common: Common,
    pub(crate) jobs: Vec<Job>,
}

/// The facts that all jobs share.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Common {
    /// The linked program, for messages.
    pub(crate) linker_output: String,
    /// The compiler, and the first arguments of each job.
    pub(crate) args: Vec<String>,
    /// Files that every job reads.
    pub(crate) inputs: Vec<String>,
}

/// The compilation of one module.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Job {
    /// The arguments that follow the common ones.
    pub(crate) args: Vec<String>,
    /// Files that this job reads.
    pub(crate) inputs: Vec<String>,
    /// Files that this job writes.
    pub(crate) outputs: Vec<String>,
}

impl JobFile {
    /// Reads and checks the file.
    pub(crate) fn read(path: &Path) -> anyhow::Result<Self> {
        let content = files::read(path)?;
        let name = || path.display().to_string();
        let file: Self = serde_json::from_slice(&content).blame(Fault::Input, name)?;
        match file.defect() {
            None => Ok(file),
            Some(defect) => Err(failure(Fault::Input, format!("{}: {defect}", name()))),
        }
    }

    /// Returns the compiler and the arguments that all jobs begin with.
    pub(crate) fn compiler(&self) -> (&str, &[String]) {
        let (compiler, arguments) = self.common.args.split_first().unzip();
        (compiler.map_or("", String::as_str), arguments.unwrap_or_default())
    }

    fn defect(&self) -> Option<String> {
        if self.common.args.is_empty() {
            return Some("common.args names no compiler".to_owned());
        }
        let mut written = BTreeSet::new();
        self.jobs.iter().enumerate().find_map(|(number, Job { outputs, .. })| {
            if outputs.is_empty() {
                return Some(format!("jobs[{number}] has no outputs"));
            }
            let twice = outputs.iter().find(|output| !written.insert(output.as_str()))?;
            Some(format!("{twice} is written twice"))
        })
    }
}
