//! Pages that tests open, each with the data in it.

use std::path::{Path, PathBuf};

use dev_checkout::bazel::Parts;
use dev_page::{Browser, Example};
use tempfile::TempDir;
use weft_report::BuildReport;
use weft_tests::{Run, tools, workspace_root};

/// Width and height of the view.
pub(crate) const VIEW: (u32, u32) = (1280, 800);

/// A page in a private folder.
pub(crate) struct Made {
    folder: TempDir,
    pub(crate) report: BuildReport,
}

impl Made {
    /// Makes the page of a report.
    pub(crate) fn of(report: BuildReport) -> Self {
        let made = Self { folder: folder(), report };
        std::fs::write(made.page(), weft_report::page(&made.report).unwrap()).unwrap();
        made
    }

    /// Builds the example with CMake and makes its page again, with listings. Returns the folder of
    /// the thin link's outputs, too.
    pub(crate) fn transport() -> (Self, PathBuf) {
        let made = Self { folder: folder(), report: BuildReport::default() };
        let clang = tools().llvm("clang++");
        let parts = Parts {
            checkout: workspace_root(),
            llvm_prefix: clang.ancestors().nth(2).unwrap(),
            cuda_root: tools().cuda_root(),
            executables: tools().executables(),
        };
        let example = Example::build(made.folder.path(), &parts).unwrap();
        let plans = example.build.join(example.device_link).join("plans");
        let places = (example.device_link, example.lists);
        (made.with_data(&example.build, "transport", places), plans)
    }

    /// Makes page and data from the outputs of a link and the list of its reports, which are in two
    /// places below `folder`.
    pub(crate) fn with_data(
        mut self,
        folder: &Path,
        title: &str,
        (outputs, lists): (&str, &str),
    ) -> Self {
        let data = self.file("data.json");
        Run::new(tools().weft("weft"), folder)
            .args(["report", "--title", title, "--listings"])
            .args(["--manifest", &format!("{outputs}plans/manifest.json")])
            .arg(format!("{lists}reports.tsv"))
            .args(["--html", &self.page().to_string_lossy()])
            .args(["--json", &data.to_string_lossy()])
            .succeed();
        self.report = serde_json::from_slice(&std::fs::read(data).unwrap()).unwrap();
        self
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn page(&self) -> PathBuf {
        self.file("page.html")
    }

    /// Starts a browser with the page open.
    pub(crate) fn open(&self, hash: &str) -> Browser {
        let mut browser = Browser::start(VIEW.0, VIEW.1).unwrap();
        browser.open(&self.page(), hash).unwrap();
        browser
    }
}

pub(crate) fn folder() -> TempDir {
    TempDir::with_prefix("weft-page-").unwrap()
}
