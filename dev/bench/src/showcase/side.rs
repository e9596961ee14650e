//! One of the two builds: its cost, its image, and the time after an edit.
//!
//! Ninja reruns only the missing steps, and each step leaves its figures in a file, so the sums
//! over all steps are the same whether a build was interrupted or not. When a build is complete,
//! its cost and its image are kept together with a digest of all their inputs.
//!
//! The edit comes after that. A run that was interrupted during the edit edits again, in the other
//! direction: to a build, reverting an edit is an edit, too.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::thread;

use crate::device_link::Setup;
use dev_builds::files_below;
use dev_builds::{BuildLog, Edit, MeasuredStep, Program, Settings, Target, Tools, Variant};
use dev_checkout::executables::PACKAGES;
use dev_process::{Error, Result, remove, while_trying};
use dev_programs::Source;
use dev_sass::Image;

/// Unit that is edited. It is a part of every choice of units.
pub(super) const EDITED: &str = "scale.cu";
/// Text of that unit, and what an edit makes of it.
const EDIT: (&str, &str) = ("(x[i]) + bias)", "(x[i]) + 1.5f + bias)");
/// Cost and digest of the whole build, in its folder.
const RECORD: &str = "showcase-cost";
/// Image of the build before the edit, in its folder.
const IMAGE: &str = "showcase-image";
/// Digest of the pinned tools and sources, then one of Weft's executables, in the program's folder.
const MADE_BY: &str = "build/showcase-tools";

/// Cost of all steps of a build, apart for compilations and for the rest.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Cost {
    pub(super) compile: Part,
    pub(super) link: Part,
}

/// Cost of some steps.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Part {
    /// Processor time in seconds.
    pub(super) seconds: f64,
    /// Largest resident memory of a process, in bytes.
    pub(super) bytes: u64,
}

/// A build of all units in one way.
pub(super) struct Side<'bench> {
    program: Program<'bench>,
    variant: Variant,
    settings: Settings,
    tools: &'bench Tools,
    /// Digest of sources, options and tools.
    stamp: String,
}

impl<'bench> Side<'bench> {
    /// Opens the folder of a build. Results of earlier runs stay as far as they are still valid.
    pub(super) fn new(
        root: &Path,
        source: &Source,
        setup: &'bench Setup,
        variant: Variant,
    ) -> Result<Self> {
        let tools = &setup.tools;
        let settings = Settings { usage: true, ..source.settings() };
        let folder = source.place(&setup.folder, variant);
        let pinned = digest(&[root.join("toolchain.lock")])?;
        let executables = if variant == Variant::Weft {
            digest(&PACKAGES.iter().map(|name| tools.executables.join(name)).collect::<Vec<_>>())?
        } else {
            String::new()
        };
        let sources = digest_of_sources(source, &setup.folder.join("sources"))?;
        let stamp = format!("{sources} {pinned} {executables} {settings:?}");
        let stamp = blake3::hash(stamp.as_bytes()).to_hex().to_string();
        let record = folder.join("build").join(variant.name()).join(RECORD);
        let is_measured = read_record(&record, &stamp).is_some();
        let program = if is_measured {
            // The unit may be edited, which would have to be taken back and measured again.
            Program::open(&folder, tools)?
        } else {
            source.open_updated(&setup.folder, variant, tools)?
        };
        let side = Self { program, variant, settings, tools, stamp };
        side.forget_what_other_tools_made(&pinned, &executables)?;
        Ok(side)
    }

    /// Removes the results of other versions of the tools, which Ninja would take for its own.
    fn forget_what_other_tools_made(&self, pinned: &str, executables: &str) -> Result<()> {
        let path = self.program.folder().join(MADE_BY);
        let made_by = fs::read_to_string(&path).unwrap_or_default();
        let (earlier_pinned, earlier_executables) = made_by.split_once('\n').unwrap_or_default();
        if earlier_pinned != pinned {
            remove(&self.program.folder().join("build"))?;
        } else if earlier_executables != executables {
            self.program.forget_device_link(self.variant)?;
        }
        write(&path, &format!("{pinned}\n{executables}"))
    }

    /// Builds all that is missing, and returns the cost of the whole build.
    pub(super) fn base(&mut self) -> Result<Cost> {
        let record = self.program.output(self.variant, RECORD);
        if let Some(cost) = read_record(&record, &self.stamp) {
            eprintln!("{}: was built and measured before", self.variant.name());
            return Ok(cost);
        }
        self.program.write_ninja(self.variant, &self.settings)?;
        self.build(Target::Objects)?;
        self.build(Target::Image)?;
        let cost = Cost::of(&self.program.all_measured_steps(self.variant)?);
        let (image, kept) = (self.program.image(self.variant)?, self.kept_image());
        fs::copy(&image, &kept).map_err(while_trying("copy", &image))?;
        write(&record, &cost.to_record(&self.stamp))?;
        Ok(cost)
    }

    /// Edits one unit and returns the seconds that it takes until the image is linked again.
    pub(super) fn edit_seconds(&mut self) -> Result<f64> {
        let (old, new) = EDIT;
        let unit = format!("src/{EDITED}");
        let edit = Edit::replacing(&self.program, &unit, old, new)?;
        edit.toggle()?;
        let log = self.build(Target::Image)?;
        if log.units("compile") == [unit.as_str()] {
            Ok(log.seconds)
        } else {
            let compiled = log.units("compile").len();
            Err(Error::new(format!("an edit of {unit} led to {compiled} compilations")))
        }
    }

    /// Reads the image before the edit.
    pub(super) fn image(&self) -> Result<Image> {
        dev_sass::read(&self.tools.toolchain, &self.kept_image())
    }

    /// Returns the names of the kernels that the thin link removed, as an image has names.
    pub(super) fn removed_kernels(&self) -> Result<BTreeSet<String>> {
        let removed = self.program.removed_kernels()?;
        let removed: Vec<&str> = removed.iter().map(String::as_str).collect();
        Ok(dev_sass::all_names(&self.tools.toolchain, &removed)?.into_iter().collect())
    }

    fn kept_image(&self) -> PathBuf {
        self.program.output(self.variant, IMAGE)
    }

    fn build(&self, target: Target) -> Result<BuildLog> {
        let jobs = thread::available_parallelism().map_or(1, usize::from);
        let name = self.variant.name();
        self.program.build_watched(self.variant, target, jobs, |line| eprintln!("{name} {line}"))
    }
}

impl Cost {
    fn of(steps: &[MeasuredStep]) -> Self {
        let part = |is_compilation: bool| {
            let steps = || steps.iter().filter(|step| step.is_compilation() == is_compilation);
            let seconds = steps().map(|step| step.processor_seconds).sum();
            Part { seconds, bytes: steps().map(|step| step.memory_bytes).max().unwrap_or(0) }
        };
        Self { compile: part(true), link: part(false) }
    }

    /// Renders the stamp, and a line for each part.
    fn to_record(self, stamp: &str) -> String {
        let [compile, link] =
            [self.compile, self.link].map(|part| format!("{} {}", part.seconds, part.bytes));
        format!("{stamp}\n{compile}\n{link}\n")
    }

    /// Reads a record with this stamp.
    fn from_record(text: &str, stamp: &str) -> Option<Self> {
        let mut lines = text.lines();
        if lines.next()? != stamp {
            return None;
        }
        let mut part = || {
            let (seconds, bytes) = lines.next()?.split_once(' ')?;
            Some(Part { seconds: seconds.parse().ok()?, bytes: bytes.parse().ok()? })
        };
        Some(Self { compile: part()?, link: part()? })
    }
}

fn read_record(path: &Path, stamp: &str) -> Option<Cost> {
    Cost::from_record(&fs::read_to_string(path).ok()?, stamp)
}

/// Returns a digest of a program's sources, which are written to `scratch` for that.
fn digest_of_sources(source: &Source, scratch: &Path) -> Result<String> {
    remove(scratch)?;
    source.write(scratch)?;
    let mut files = files_below(scratch)?;
    files.sort();
    let digest = digest(&files);
    remove(scratch)?;
    digest
}

/// Returns a digest of files' names and contents.
fn digest(files: &[PathBuf]) -> Result<String> {
    let mut hasher = blake3::Hasher::new();
    for path in files {
        let content = fs::read(path).map_err(while_trying("read", path))?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        hasher.update(format!("{name}\n{}\n", content.len()).as_bytes()).update(&content);
    }
    Ok(hasher.finalize().to_hex().to_string())
}

fn write(path: &Path, text: &str) -> Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(while_trying("create", folder))?;
    }
    fs::write(path, text).map_err(while_trying("write", path))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(verb: &str, processor_seconds: f64, memory_bytes: u64) -> MeasuredStep {
        let (verb, unit) = (verb.to_owned(), String::new());
        MeasuredStep { verb, unit, start: 0.0, seconds: 9.0, processor_seconds, memory_bytes }
    }

    #[test]
    fn compilations_and_the_rest_are_apart() {
        let steps = [step("compile", 2.0, 5), step("codegen", 1.0, 7), step("compile", 0.5, 4)];
        let link = Part { seconds: 1.0, bytes: 7 };
        assert_eq!(Cost::of(&steps), Cost { compile: Part { seconds: 2.5, bytes: 5 }, link });
    }

    #[test]
    fn a_record_holds_for_its_stamp_alone() {
        let part = |seconds, bytes| Part { seconds, bytes };
        let cost = Cost { compile: part(1.25, 7), link: part(1000.0, 1 << 40) };
        let record = cost.to_record("stamp");
        assert_eq!(Cost::from_record(&record, "stamp"), Some(cost));
        assert_eq!(Cost::from_record(&record, "other"), None);
        assert_eq!(Cost::from_record("stamp\n1.5 3\n", "stamp"), None);
    }
}
