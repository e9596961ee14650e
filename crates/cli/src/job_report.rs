//! The option of a job that writes its report.

use std::path::PathBuf;

use clap::Args;
use weft_action::Session;
use weft_job::JobReport;

use crate::files;

/// The option that names the file of the report.
#[derive(Args, Clone, Debug, Default)]
pub struct JobReportArguments {
    /// Also write when the job ran and where its result came from, as JSON, for weft report
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
}

impl JobReportArguments {
    /// Writes `report` with the results that `session` got so far, if it is wanted.
    pub fn write(&self, session: &Session, report: JobReport) -> anyhow::Result<()> {
        let Some(path) = &self.report else { return Ok(()) };
        let report = JobReport { jobs: session.records(), ..report };
        let mut json = serde_json::to_vec_pretty(&report)?;
        json.push(b'\n');
        files::write(path, &json)
    }
}
