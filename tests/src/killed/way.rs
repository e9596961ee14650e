//! Ways of building the program, and the caches that the builds use.

use std::path::{Path, PathBuf};

use dev_builds::{Program, Settings};

use super::units::{COUNT, Variant};
use crate::background::Background;
use crate::bazel::{make_workspace, program};
use crate::reference::build_tools;
use crate::{ARCHITECTURE, Run, Workbench, tools, workspace_root};

/// Number of jobs at a time.
const JOBS: usize = 4;
/// Folder of Bazel's workspace, below that of the build. Bazel's outputs are in a folder beside it.
const WORKSPACE: &str = "workspace";

/// A way of building the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Ninja, with a statement for each phase.
    Ninja,
    /// Make, with the README's Makefile.
    Make,
    /// A script that starts the executables itself, with all phases of a module in one command.
    /// It knows nothing of an earlier build.
    ByHand,
    /// `weft link`, which starts the executables and the host linker.
    Link,
    /// Bazel, with the rules. Its server outlives a killed client, and the sandbox has to end the
    /// actions of a killed server.
    Bazel,
}

/// Place in which a build looks for results.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// Nowhere.
    Nowhere,
    /// In a cache folder of the build: Weft's cache, or Bazel's own one.
    Own,
    /// In a cache folder that a group shares, and all builds of the run.
    Shared(PathBuf),
    /// On a cluster, by its URL, which executes the actions, too.
    Cluster(String),
}

impl Way {
    /// The ways in which each command of a build is Weft's, and which use Weft's cache.
    pub const WITHOUT_SERVER: [Self; 4] = [Self::Ninja, Self::Make, Self::ByHand, Self::Link];

    /// Fills `folder` with the sources and the description of the build.
    pub(super) fn prepare(self, bench: &Workbench, folder: &Path) {
        std::fs::create_dir_all(folder.join("src"))
            .unwrap_or_else(|error| panic!("cannot create {}: {error}", folder.display()));
        self.put_sources(bench, folder, Variant::First);
        match self {
            Self::Ninja => {
                // Any option will do that leaves the choice of a cache to the environment.
                let execution_options = vec!["--cache-size=1G".to_owned()];
                let settings = Settings { execution_options, ..Settings::default() };
                Program::open(folder, build_tools())
                    .and_then(|program| program.write_ninja(dev_builds::Variant::Weft, &settings))
                    .unwrap_or_else(|error| panic!("{error}"));
            }
            Self::Make => {
                let makefile = workspace_root().join("examples/make/clang.mk");
                let makefile = std::fs::read_to_string(makefile)
                    .unwrap_or_else(|error| panic!("examples/make/clang.mk: {error}"));
                write(&folder.join("Makefile"), makefile);
                for unit in 0..COUNT {
                    write(&folder.join(format!("src/u{unit}.cu")), "");
                }
                // Nothing is compiled, as the objects, which are bitcode, are newer.
                let sources = (0..COUNT).map(|unit| format!("src/u{unit}.cu"));
                Run::new("touch", folder).args(["-d", "2000-01-01"]).args(sources).succeed();
            }
            Self::ByHand => write(&folder.join("build.sh"), script()),
            Self::Link => {
                std::fs::create_dir_all(folder.join("out"))
                    .unwrap_or_else(|error| panic!("cannot create {}: {error}", folder.display()));
                write(&folder.join("main.c"), "int main(void) { return 0; }\n");
                Run::new("cc", folder).args(["-c", "main.c", "-o", "main.o"]).succeed();
            }
            Self::Bazel => {
                // All builds have one installation of Bazel.
                let options = vec![format!("build --jobs={JOBS}")];
                let workspace = folder.join(WORKSPACE);
                make_workspace("tests/bazel/killed", &workspace, &bench.file("root"), options);
            }
        }
    }

    /// Copies the bitcode of the units in one state. A unit that is the same already keeps its
    /// time.
    pub(super) fn put_sources(self, bench: &Workbench, folder: &Path, variant: Variant) {
        for unit in 0..COUNT {
            let kind = if self == Self::Link { "o" } else { "bc" };
            let content = bench.read(&format!("{}/u{unit}.{kind}", variant.name()));
            let place = folder.join(match self {
                Self::Ninja | Self::ByHand => format!("src/u{unit}.bc"),
                Self::Link => format!("src/u{unit}.o"),
                Self::Make => format!("build/src/u{unit}.o"),
                Self::Bazel => format!("{WORKSPACE}/src/u{unit}.bc"),
            });
            if std::fs::read(&place).is_ok_and(|present| present == content) {
                continue;
            }
            if let Some(parent) = place.parent() {
                std::fs::create_dir_all(parent)
                    .unwrap_or_else(|error| panic!("cannot create {}: {error}", parent.display()));
            }
            write(&place, content);
        }
    }

    /// Starts a build of the program in `folder`.
    pub(super) fn start(self, folder: &Path, place: &Place) -> Background {
        let cuda = tools().cuda_root().display();
        let command: Vec<String> = match self {
            Self::Ninja => {
                let ninja = build_tools().toolchain.ninja.display().to_string();
                let jobs = JOBS.to_string();
                [&ninja, "-f", "build/weft/build.ninja", "-j", &jobs, "image"]
                    .map(str::to_owned)
                    .into()
            }
            Self::Make => vec![
                "/usr/bin/make".to_owned(),
                format!("-j{JOBS}"),
                format!("CUDA={cuda}"),
                "build/image.o".to_owned(),
            ],
            Self::ByHand => ["/bin/sh", "-e", "build.sh"].map(str::to_owned).into(),
            Self::Link => link(),
            Self::Bazel => bazel(folder, place),
        };
        let own = folder.with_extension("cache");
        let workplace =
            if self == Self::Bazel { folder.join(WORKSPACE) } else { folder.to_owned() };
        let mut words = vec!["-C".to_owned(), workplace.display().to_string()];
        words.push(format!("TMPDIR={}", folder.with_extension("tmp").display()));
        words.push(format!("PATH={}", search_path()));
        words.extend(match place {
            Place::Nowhere => vec!["WEFT_CACHE=off".to_owned()],
            Place::Own => cache(&own),
            Place::Shared(folder) => cache(folder),
            Place::Cluster(url) => {
                let mut words = cache(&own);
                words.push(format!("WEFT_REMOTE_EXECUTOR={url}"));
                words
            }
        });
        words.extend(command);
        Background::start(Path::new("/usr/bin/env"), &words, None, &folder.with_extension("log"))
    }

    /// Returns the folder with the outputs, below the folder of the build.
    pub(super) fn outputs(self) -> &'static str {
        match self {
            Self::Ninja => "build/weft",
            Self::Make => "build",
            Self::ByHand | Self::Link => "out",
            Self::Bazel => "workspace/bazel-bin",
        }
    }

    /// Returns the path of a unit's cubin, below the folder with the outputs; `None` if the way
    /// keeps none.
    pub fn cubin(self, unit: usize) -> Option<PathBuf> {
        let name = match self {
            Self::Ninja => format!("src/u{unit}.bc.cubin"),
            Self::Make | Self::ByHand => format!("src/u{unit}.cubin"),
            Self::Link => return None,
            Self::Bazel => format!("_weft/program/{ARCHITECTURE}/jobs/src/u{unit}.cubin"),
        };
        Some(name.into())
    }
}

/// Returns the command of [`Way::Link`]. The host launches no kernel, so all are kept by name.
fn link() -> Vec<String> {
    let cuda = tools().cuda_root().display();
    let mut words = vec![tools().weft("weft").display().to_string()];
    let options = ["link", &format!("-j{JOBS}"), &format!("--cuda={cuda}"), "-Xthinlink=--keep=*"];
    let compiler = ["--", "g++", "-o", "out/program", "main.o"];
    words.extend(options.into_iter().chain(compiler).map(str::to_owned));
    words.extend((0..COUNT).map(|unit| format!("src/u{unit}.o")));
    let runtime = ["-lcudart_static", "-ldl", "-lrt", "-lpthread"].map(str::to_owned);
    words.extend([format!("-L{cuda}/lib")].into_iter().chain(runtime));
    words
}

/// Returns the command of a build by Bazel.
fn bazel(folder: &Path, place: &Place) -> Vec<String> {
    let folder_of = |name: &str| folder.with_extension(name).display().to_string();
    let mut words = vec![
        program().display().to_string(),
        format!("--output_base={}", folder.join("output").display()),
        "build".to_owned(),
        "//:program".to_owned(),
        "--output_groups=weft_image,weft_manifest".to_owned(),
        // The sandbox lets actions write to no folder for temporary files but /tmp.
        format!("--sandbox_writable_path={}", folder_of("tmp")),
    ];
    if *place == Place::Own {
        words.push(format!("--disk_cache={}", folder_of("cache")));
    }
    words
}

fn cache(folder: &Path) -> Vec<String> {
    vec!["WEFT_CACHE=all".to_owned(), format!("WEFT_CACHE_DIR={}", folder.display())]
}

fn search_path() -> String {
    let (clang, ptxas) = (tools().llvm("clang"), tools().cuda("ptxas"));
    let folder = |tool: &Path| tool.parent().unwrap_or(Path::new("/")).display().to_string();
    let executables = tools().executables().display().to_string();
    [folder(&clang), folder(&ptxas), executables, "/usr/bin:/bin".to_owned()].join(":")
}

/// Returns the script of [`Way::ByHand`].
fn script() -> String {
    let last = COUNT - 1;
    let parallel = format!("seq 0 {last} | xargs -P {JOBS} -I '{{}}'");
    format!(
        "mkdir -p out/src\n\
         for unit in $(seq 0 {last}); do\n  \
         printf 'src/u%s\\tsrc/u%s.bc\\n' $unit $unit\ndone > out/units\n\
         {parallel} summarize --module-id 'src/u{{}}' -o 'out/src/u{{}}.summary' 'src/u{{}}.bc'\n\
         thinlink --has-global-host-info -o out/plans out/src/*.summary\n\
         {parallel} backend-job run --plan 'out/plans/src/u{{}}.plan' --module 'src/u{{}}.bc' \
         --module-map out/units --emit linked,ptx,cubin -o 'out/src/u{{}}.cubin'\n\
         nvlink -arch=sm_90 out/src/*.cubin -o out/image.cubin\n"
    )
}

fn write(path: &Path, content: impl AsRef<[u8]>) {
    std::fs::write(path, content)
        .unwrap_or_else(|error| panic!("cannot write {}: {error}", path.display()));
}
