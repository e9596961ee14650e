//! The file in which LLVM's linker lists the jobs of a link.
//!
//! LLVM describes it in "DTLTO" of its documentation. The file states no version. So a key that
//! this reader does not know is an error: it may change what a job means.

use std::collections::BTreeSet;

use serde::Deserialize;
use thiserror::Error;

/// All jobs of a link.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LinkJobs {
    /// The facts that all jobs share.
    pub common: SharedFacts,
    /// The compilation of each module.
    pub jobs: Vec<LinkJob>,
}

/// The facts that all jobs share.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SharedFacts {
    /// The linked program, for messages.
    pub linker_output: String,
    /// The compiler, and the first arguments of each job.
    pub args: Vec<String>,
    /// Files that every job reads.
    pub inputs: Vec<String>,
}

/// The compilation of one module.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LinkJob {
    /// The arguments that follow the common ones.
    pub args: Vec<String>,
    /// Files that this job reads.
    pub inputs: Vec<String>,
    /// Files that this job writes.
    pub outputs: Vec<String>,
}

/// The reason why a file is no list of jobs. The caller adds the file's name.
#[derive(Debug, Error)]
pub enum LinkJobsError {
    /// The file is not the JSON that LLVM describes.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    /// Nothing says which compiler to start.
    #[error("common.args names no compiler")]
    NoCompiler,
    /// A job would do nothing.
    #[error("jobs[{0}] has no outputs")]
    NoOutputs(usize),
    /// Two jobs write one file.
    #[error("{0} is written twice")]
    WrittenTwice(String),
}

impl LinkJobs {
    /// Reads and checks the content of the file.
    pub fn read(content: &[u8]) -> Result<Self, LinkJobsError> {
        let jobs: Self = serde_json::from_slice(content)?;
        jobs.check()?;
        Ok(jobs)
    }

    /// Returns the compiler and the arguments that all jobs begin with.
    pub fn compiler(&self) -> (&str, &[String]) {
        let (compiler, arguments) = self.common.args.split_first().unzip();
        (compiler.map_or("", String::as_str), arguments.unwrap_or_default())
    }

    fn check(&self) -> Result<(), LinkJobsError> {
        if self.common.args.is_empty() {
            return Err(LinkJobsError::NoCompiler);
        }
        let mut written = BTreeSet::new();
        for (number, LinkJob { outputs, .. }) in self.jobs.iter().enumerate() {
            if outputs.is_empty() {
                return Err(LinkJobsError::NoOutputs(number));
            }
            if let Some(twice) = outputs.iter().find(|output| !written.insert(output.as_str())) {
                return Err(LinkJobsError::WrittenTwice(twice.clone()));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads a file whose compiler and common arguments are `arguments`, with `jobs`.
    fn read(arguments: &str, jobs: &str) -> Result<LinkJobs, String> {
        let text = format!(
            r#"{{"common":{{"linker_output":"a.out","args":[{arguments}],"inputs":["all"]}},
            "jobs":[{jobs}]}}"#
        );
        LinkJobs::read(text.as_bytes()).map_err(|error| error.to_string())
    }

    #[test]
    fn all_parts_of_the_file_are_read() {
        let job = r#"{"args":["-c","m.o"],"inputs":["m.o","m.bc"],"outputs":["m.native"]}"#;
        let jobs = read(r#""clang","-O2","-x""#, job).unwrap();
        assert_eq!(jobs.compiler(), ("clang", &["-O2".to_owned(), "-x".to_owned()][..]));
        assert_eq!((&*jobs.common.linker_output, &*jobs.common.inputs[0]), ("a.out", "all"));
        let LinkJob { args, inputs, outputs } = &jobs.jobs[0];
        assert_eq!((args.join(" "), inputs.join(" ")), ("-c m.o".into(), "m.o m.bc".into()));
        assert_eq!(*outputs, ["m.native"]);
        assert_eq!(read(r#""cc""#, "").unwrap().compiler(), ("cc", &[][..]));
    }

    #[test]
    fn a_list_of_jobs_that_no_link_can_have_is_refused() {
        let job = |outputs: &str| format!(r#"{{"args":[],"inputs":[],"outputs":[{outputs}]}}"#);
        let jobs = |all: &[&str]| {
            read(r#""cc""#, &all.iter().map(|outputs| job(outputs)).collect::<Vec<_>>().join(","))
        };
        assert_eq!(jobs(&[r#""a","b""#, r#""c""#]).map(|jobs| jobs.jobs.len()), Ok(2));
        assert_eq!(jobs(&[r#""a""#, ""]).unwrap_err(), "jobs[1] has no outputs");
        assert_eq!(jobs(&[r#""a","b""#, r#""c","b""#]).unwrap_err(), "b is written twice");
        assert_eq!(jobs(&[r#""a","a""#]).unwrap_err(), "a is written twice");
        assert_eq!(read("", "").unwrap_err(), "common.args names no compiler");
        let unknown = read(r#""cc""#, r#"{"args":[],"inputs":[],"outputs":["a"],"more":1}"#);
        assert!(unknown.is_err_and(|error| error.contains("unknown field `more`")));
    }
}
