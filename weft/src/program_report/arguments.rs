//! The command line of `weft report`.

use std::path::{Path, PathBuf};

use clap::Args;
use weft_report::Gate;

/// Show what a build says about a program, as a text, a page or JSON
///
/// It puts the reports of all jobs and the decisions of the thin link together, and compares them
/// with an earlier build.
#[derive(Args, Debug)]
#[command(group = clap::ArgGroup::new("data").args(["json", "html"]).multiple(true))]
pub(crate) struct ReportArguments {
    /// Files of lines `ID<TAB>FILE`: the modules, and the reports that their jobs wrote with
    /// `--report`
    ///
    /// A module may be there several times, for each of its jobs. A cubin may be given instead of
    /// a report: it tells all of a kernel but what it spills. PTX may be given, too, for its sizes.
    #[arg(value_name = "LIST", required = true)]
    pub(super) lists: Vec<PathBuf>,
    /// Manifest of the thin link, with the plans and the decisions beside it; may be repeated, for
    /// architectures
    #[arg(long, value_name = "FILE")]
    pub(super) manifest: Vec<PathBuf>,
    /// Name of the program, for headings
    #[arg(long, value_name = "NAME")]
    pub(super) title: Option<String>,
    /// File for the text [default: standard output, if no other output is named]
    #[arg(short, long, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,
    /// File for the data as JSON
    #[arg(long, value_name = "FILE")]
    pub(super) json: Option<PathBuf>,
    /// File for a page that shows it all: one file of HTML that needs no network
    #[arg(long, value_name = "FILE")]
    pub(super) html: Option<PathBuf>,
    /// File for a short form in Markdown, for the page of a change under review
    #[arg(long, value_name = "FILE")]
    pub(super) markdown: Option<PathBuf>,
    /// File for the timeline of the jobs, as a trace for Perfetto
    #[arg(long, value_name = "FILE")]
    pub(super) trace: Option<PathBuf>,
    /// Linked image of the program, after whose linking kernels have more registers and shared
    /// memory than before: a cubin, a fat binary or the program; may be repeated, for architectures
    #[arg(long, value_name = "FILE")]
    pub(super) image: Vec<PathBuf>,
    /// Earlier build to compare with: its data, its page, or device code that was built without
    /// Weft
    ///
    /// Device code is a linked program, a fat binary or cubins, for which the option is repeated.
    #[arg(long, value_name = "OLD")]
    pub(super) against: Vec<PathBuf>,
    /// Exit with code 6 if the build passes this limit, after all outputs are written; may be
    /// repeated
    ///
    /// `regs+5%`, `stack+0` and `image+2%` allow that much more than in the build of --against, and
    /// `occupancy-8` eight warps less; `regs>128`, `occupancy<16` and `spills`, which is
    /// `spills>0`, hold without one. Values are `regs`, `stack`, `spills`, `shared`, `calls`,
    /// `instructions` and `occupancy`, of each kernel, or of all with `total-` in front.
    /// `new-calls` and `worse` allow no kernel with more calls, and none that got worse.
    #[arg(long, value_name = "LIMIT")]
    pub(super) fail_if: Vec<Gate>,
    /// Print mangled names, whole, for scripts
    #[arg(long)]
    pub(super) mangled: bool,
    /// Also take the code of kernels into `--json` and `--html`, where the lists name PTX
    #[arg(long, requires = "data")]
    pub(super) listings: bool,
}

impl ReportArguments {
    /// Returns the arguments for the report of one link: the lists of its jobs' reports, its
    /// manifests and its images, each by architecture.
    pub(crate) fn of_link(
        lists: Vec<PathBuf>,
        manifest: Vec<PathBuf>,
        image: Vec<PathBuf>,
        title: &str,
    ) -> Self {
        Self {
            lists,
            manifest,
            title: Some(title.to_owned()),
            output: None,
            json: None,
            html: None,
            markdown: None,
            trace: None,
            image,
            against: Vec::new(),
            fail_if: Vec::new(),
            mangled: false,
            listings: false,
        }
    }

    /// Returns the arguments with `file` as the output: its extension says in which form.
    pub(crate) fn with_output(mut self, file: &Path) -> Self {
        let place = match file.extension().and_then(|extension| extension.to_str()) {
            Some("html") => &mut self.html,
            Some("json") => &mut self.json,
            Some("md") => &mut self.markdown,
            Some("trace") => &mut self.trace,
            _ => &mut self.output,
        };
        *place = Some(file.to_owned());
        self
    }
}
