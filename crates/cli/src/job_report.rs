//! The report of a job: when it ran, and where its result came from.

use std::path::PathBuf;

use clap::Args;
use serde::Serialize;
use weft_action::{JobRecord, Session};

use crate::files;

/// The option that names the file of the report.
#[derive(Args, Clone, Debug, Default)]
pub struct JobReportArguments {
    /// Also write when the job ran and where its result came from, as JSON, for backend-job report
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
}

/// The content of a report but for the records of results.
#[derive(Clone, Debug, Default, Serialize)]
pub struct JobFacts {
    /// Architecture of the job, such as `sm_90`; empty if it has none.
    pub architecture: String,
    /// Warnings about the whole program.
    pub warnings: Vec<String>,
    /// Decisions about the whole program, as sentences.
    pub notes: Vec<String>,
}

/// The content of a report.
#[derive(Serialize)]
struct JobReport<'all> {
    jobs: Vec<JobRecord>,
    #[serde(flatten)]
    facts: &'all JobFacts,
}

impl JobReportArguments {
    /// Writes the report about the results that `session` got so far, if one is wanted.
    pub fn write(&self, session: &Session, facts: &JobFacts) -> anyhow::Result<()> {
        let Some(path) = &self.report else { return Ok(()) };
        let report = JobReport { jobs: session.records(), facts };
        let mut json = serde_json::to_vec_pretty(&report)?;
        json.push(b'\n');
        files::write(path, &json)
    }
}
