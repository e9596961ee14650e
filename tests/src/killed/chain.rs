//! A chain of builds of which all but the last are killed.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::Duration;

use dev_process::Stopwatch;
use dev_random::Choices;

use super::folder::{copy, differences, files_of};
use super::processes::{building_below, kill_below, running_below, send};
use super::units::{COUNT, Variant};
use super::way::{Place, Way};
use crate::background::Background;
use crate::{Run, Workbench, tools};

/// Most builds of a chain that are killed.
const MOST_KILLS: usize = 4;
/// Most faults of one chain that are printed.
const MOST_FAULTS: usize = 6;
/// Number of waits of 10 ms after which a process of a killed build counts as left.
const PATIENCE: u32 = 3000;

/// Choice of the processes of a build that are killed.
#[derive(Clone, Copy, Debug)]
enum Kill {
    /// The process group that the build leads. Each command of Ninja has a separate group: it keeps
    /// running, and the next build meets it. Bazel's server, too, sees that its client is gone.
    Group,
    /// All processes, as if the machine crashed.
    All,
    /// One process, as a system without memory chooses one. The build ends by itself.
    One,
}

/// Number of killed builds, and what was wrong after the chains of them.
#[derive(Debug, Default)]
pub struct Tally {
    /// Number of builds that were killed.
    pub kills: u64,
    /// Descriptions of chains that went wrong.
    pub wrong: Vec<String>,
}

/// One way of building with one place for results, and the outputs of undisturbed builds.
#[derive(Debug)]
pub struct Chain<'bench> {
    bench: &'bench Workbench,
    way: Way,
    place: Place,
    /// Folder of the undisturbed build of the first state, with all that it wrote.
    built: PathBuf,
    /// Outputs of the undisturbed builds of both states.
    expected: [BTreeMap<PathBuf, Vec<u8>>; 2],
    /// Duration of an undisturbed build from nothing, in milliseconds.
    duration: usize,
}

impl<'bench> Chain<'bench> {
    /// Builds both states without disturbance. The units are in `bench`.
    pub fn new(bench: &'bench Workbench, way: Way, place: Place) -> Self {
        let mut seconds = 0.0;
        let folders = Variant::ALL.map(|variant| {
            let folder = bench.file(&format!("{way:?}-{}", variant.name()));
            if !folder.exists() {
                make_folders(&folder);
                way.prepare(bench, &folder);
                way.put_sources(bench, &folder, variant);
                let stopwatch = Stopwatch::start();
                finish(way, &folder, &Place::Nowhere).unwrap_or_else(|error| panic!("{error}"));
                seconds = stopwatch.seconds();
                // The files of a server are not copied while it runs.
                kill_below(&folder);
            }
            folder
        });
        let expected = [0, 1].map(|number| files_of(&folders[number].join(way.outputs())));
        let [built, _] = folders;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a build takes between a second and some minutes"
        )]
        let duration = (seconds * 1000.0) as usize;
        Self { bench, way, place, built, expected, duration: duration.max(500) }
    }

    /// Returns the cubins of the undisturbed build of the first state, if the way keeps them.
    pub fn cubins(&self) -> Vec<&[u8]> {
        let cubin = |unit| self.expected[0].get(&self.way.cubin(unit)?).map(Vec::as_slice);
        (0..COUNT).filter_map(cubin).collect()
    }

    /// Kills some builds of the chain of `seed`, lets one end, and adds up what was found.
    pub fn run(&self, seed: u64, tally: &mut Tally) {
        let mut random = Choices::new(seed);
        let folder = self.bench.file("killed");
        let mut story = format!("seed {seed}: {:?} with {:?}", self.way, self.place);
        let wrong = self.disturb(&folder, &mut random, &mut story, tally);
        if !wrong.is_empty() {
            // Writing to a String cannot fail.
            let _ = write!(story, "\n  {} faults, of which the first are:", wrong.len());
            for fault in wrong.iter().take(MOST_FAULTS) {
                let _ = write!(story, "\n  {fault}");
            }
            println!("{story}");
            tally.wrong.push(story);
        }
        kill_below(&folder);
        for path in ["killed", "killed.tmp", "killed.cache", "killed.log"] {
            Run::new("rm", self.bench.path()).args(["-rf", path]).succeed();
        }
    }

    /// Returns what is wrong at the end of a chain.
    fn disturb(
        &self,
        folder: &Path,
        random: &mut Choices,
        story: &mut String,
        tally: &mut Tally,
    ) -> Vec<String> {
        let is_edited = random.one_in(2);
        let mut wrong = Vec::new();
        if is_edited {
            // Outputs that exist are replaced.
            copy(&self.built, folder);
            make_folders(folder);
            self.way.put_sources(self.bench, folder, Variant::Edited);
        } else {
            make_folders(folder);
            self.way.prepare(self.bench, folder);
        }
        for _ in 0..=random.below(MOST_KILLS) {
            let how = *random.pick(&[Kill::Group, Kill::All, Kill::One]);
            let moment = random.below(self.duration);
            let is_patient = random.one_in(2);
            let _ = write!(story, ", {how:?} after {moment} ms");
            let mut build = self.way.start(folder, &self.place);
            sleep(Duration::from_millis(moment as u64));
            kill(how, &mut build, folder, random);
            tally.kills += 1;
            if is_patient && !has_ended(folder) {
                wrong.push(format!("processes are left: {}", names(folder)));
            }
        }
        let variant = usize::from(is_edited);
        if let Err(output) = finish(self.way, folder, &self.place) {
            wrong.push(format!("the last build fails:\n{output}"));
        }
        if !has_ended(folder) {
            wrong.push(format!("processes are left: {}", names(folder)));
        }
        let mut found = files_of(&folder.join(self.way.outputs()));
        if self.way == Way::Ninja {
            // Ninja removes a depfile when a command that it started ends. The command of a killed
            // Ninja keeps running beside the next one, and may be the last to write it.
            found.retain(|path, _| path.extension().is_none_or(|extension| extension != "d"));
        }
        wrong.extend(differences(&self.expected[variant], &found));
        wrong.extend(self.remains(folder));
        wrong
    }

    /// Returns the temporary files that are left, and what is wrong with the cache.
    fn remains(&self, folder: &Path) -> Vec<String> {
        let temporary = files_of(&folder.with_extension("tmp"));
        let mut wrong: Vec<String> =
            temporary.keys().map(|path| format!("TMPDIR has {}", path.display())).collect();
        let cache = match &self.place {
            // Bazel manages the folder of its results itself.
            _ if self.way == Way::Bazel => return wrong,
            Place::Nowhere => return wrong,
            Place::Own | Place::Cluster(_) => folder.with_extension("cache"),
            Place::Shared(folder) => folder.clone(),
        };
        let look_after = |word: &str| {
            let program = Run::new(tools().weft("weft"), self.bench.path());
            program
                .args(["cache", word, "--cache-size=1G", "--cache-dir"])
                .arg(&cache)
                .succeed()
                .stdout
        };
        let verified = look_after("verify");
        if !verified.contains(" 0 were damaged") {
            wrong.push(format!("the cache has damaged results: {verified}"));
        }
        // Temporary files of a cache are removed when they are an hour old.
        let paths = || {
            let all = dev_builds::files_below(&cache).unwrap_or_default();
            let is_temporary = |path: &PathBuf| {
                path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b".weft-"))
            };
            all.into_iter().filter(is_temporary).collect::<Vec<_>>()
        };
        let temporary = paths();
        if !temporary.is_empty() {
            Run::new("touch", "/").args(["-d", "3 hours ago"]).args(&temporary).succeed();
            look_after("gc");
            wrong.extend(paths().iter().map(|path| format!("the cache has {}", path.display())));
        }
        wrong
    }
}

fn make_folders(folder: &Path) {
    let temporary = folder.with_extension("tmp");
    for folder in [folder, &temporary] {
        std::fs::create_dir_all(folder)
            .unwrap_or_else(|error| panic!("cannot create {}: {error}", folder.display()));
    }
}

/// Builds to the end. The error is the output of the build.
fn finish(way: Way, folder: &Path, place: &Place) -> Result<(), String> {
    let mut build = way.start(folder, place);
    if build.wait() == Some(0) { Ok(()) } else { Err(build.log()) }
}

fn kill(how: Kill, build: &mut Background, folder: &Path, random: &mut Choices) {
    match how {
        Kill::Group => {}
        Kill::All => {
            send("KILL", &[-i64::from(build.id())]);
            kill_below(folder);
        }
        Kill::One => {
            if let Some(process) = random.choose(&running_below(folder)) {
                send("KILL", &[i64::from(*process)]);
            }
            build.wait();
        }
    }
    build.kill();
}

/// Waits until no process of the build runs. Returns whether there is none.
fn has_ended(folder: &Path) -> bool {
    (0..PATIENCE).any(|_| {
        let is_over = building_below(folder).is_empty();
        if !is_over {
            sleep(Duration::from_millis(10));
        }
        is_over
    })
}

/// Returns the commands of the processes that are left.
fn names(folder: &Path) -> String {
    let command = |id: u32| {
        let words = std::fs::read(format!("/proc/{id}/cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&words).replace('\0', " ")
    };
    building_below(folder).into_iter().map(command).collect::<Vec<_>>().join("; ")
}
