//! The file in which LLVM's linker lists the jobs of a link.
//!
//! LLVM describes it in "DTLTO" of its documentation. The file states no version, so a later LLVM
//! is known by a key that this reader does not know, of which users are told.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use serde_json::Value;
use thiserror::Error;

/// Keys that the reader does not know.
type Others = BTreeMap<String, Value>;

/// All jobs of a link.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct LinkJobs {
    /// The facts that all jobs share.
    pub common: SharedFacts,
    /// The compilation of each module.
    pub jobs: Vec<LinkJob>,
    #[serde(flatten)]
    others: Others,
}

/// The facts that all jobs share.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct SharedFacts {
    /// The linked program, for messages.
    pub linker_output: String,
    /// The compiler, and the first arguments of each job.
    pub args: Vec<String>,
    /// Files that every job reads.
    pub inputs: Vec<String>,
    #[serde(flatten)]
    others: Others,
}

/// The compilation of one module.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct LinkJob {
    /// The arguments that follow the common ones.
    pub args: Vec<String>,
    /// Files that this job reads.
    pub inputs: Vec<String>,
    /// Files that this job writes.
    pub outputs: Vec<String>,
    #[serde(flatten)]
    others: Others,
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

    /// Returns the keys that were passed over, such as `common.version`, in order.
    pub fn unknown_keys(&self) -> BTreeSet<String> {
        let named = |place: &'static str, others: &Others| -> Vec<String> {
            others.keys().map(|key| format!("{place}{key}")).collect()
        };
        let of_jobs = self.jobs.iter().flat_map(|job| named("jobs[].", &job.others));
        let of_link = named("", &self.others).into_iter();
        of_link.chain(named("common.", &self.common.others)).chain(of_jobs).collect()
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
        let LinkJob { args, inputs, outputs, .. } = &jobs.jobs[0];
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
    }

    #[test]
    fn keys_of_a_later_llvm_are_passed_over_by_name() {
        let job = r#"{"args":[],"inputs":[],"outputs":["a"],"more":[1]}"#;
        let jobs = read(r#""cc""#, job).unwrap();
        assert_eq!(jobs.jobs[0].outputs, ["a"]);
        assert_eq!(jobs.unknown_keys().into_iter().collect::<Vec<_>>(), ["jobs[].more"]);
        let text = r#"{"common":{"linker_output":"p","args":["cc"],"inputs":[],"kind":{}},
                       "jobs":[],"version":2}"#;
        let keys = LinkJobs::read(text.as_bytes()).unwrap().unknown_keys();
        assert_eq!(keys.into_iter().collect::<Vec<_>>(), ["common.kind", "version"]);
    }
}
