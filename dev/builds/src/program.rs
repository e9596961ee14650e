//! One program in a private folder, and its builds.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::build_log::{self, BuildLog};
use crate::ninja_file::NinjaFile;
use crate::settings::Settings;
use crate::step_usage::MeasuredStep;
use crate::units::{self, Units, files_below};
use crate::variant::{Target, Tools, Variant, build_folder};
use crate::{job_times, manifest, nvcc, step_usage, weft, whole};
use dev_process::{Error, Process, Result, Stopwatch, remove, while_trying};

/// One program in a private folder.
#[derive(Debug)]
pub struct Program<'tools> {
    folder: PathBuf,
    units: Units,
    tools: &'tools Tools,
}

impl<'tools> Program<'tools> {
    /// Makes a fresh copy of the program in `source`, instead of the content of `folder`.
    pub fn copy(source: &Path, folder: &Path, tools: &'tools Tools) -> Result<Self> {
        remove(folder)?;
        units::copy(source, folder)?;
        Self::open(folder, tools)
    }

    /// Opens the program in `folder`, with its outputs, if it is the same as in `source`, and makes
    /// a fresh copy if not.
    pub fn copy_if_different(source: &Path, folder: &Path, tools: &'tools Tools) -> Result<Self> {
        if units::are_same(source, folder)? {
            Self::open(folder, tools)
        } else {
            Self::copy(source, folder, tools)
        }
    }

    /// Opens the program in `folder` with the sources of `source`. Outputs stay, and so do files
    /// that are the same, so that a build makes only what the others reach.
    pub fn update(source: &Path, folder: &Path, tools: &'tools Tools) -> Result<Self> {
        units::update(source, folder)?;
        Self::open(folder, tools)
    }

    /// Opens the program in `folder` as it is.
    pub fn open(folder: &Path, tools: &'tools Tools) -> Result<Self> {
        Ok(Self { folder: folder.to_path_buf(), units: Units::find(folder)?, tools })
    }

    /// Returns the folder of the program.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns the units of the program.
    pub fn units(&self) -> &Units {
        &self.units
    }

    /// Returns the path of an output of a build, such as `plans/manifest.json` or `src/a.cu.ptx` of
    /// Weft's.
    pub fn output(&self, variant: Variant, name: &str) -> PathBuf {
        self.folder.join(build_folder(variant)).join(name)
    }

    /// Returns the path of the executable that [`Target::Program`] makes.
    pub fn executable(&self, variant: Variant) -> PathBuf {
        self.output(variant, "program")
    }

    /// Writes `build.ninja` and the files that it needs, unless they are there already.
    pub fn write_ninja(&self, variant: Variant, settings: &Settings) -> Result<()> {
        let mut file = NinjaFile::new(build_folder(variant), self.tools);
        if settings.usage {
            let script = self.output(variant, step_usage::SCRIPT_NAME);
            write_if_different(&script, step_usage::SCRIPT)?;
        }
        let written = match variant {
            Variant::Rdc => {
                file.append(|file| nvcc::write(file, &self.units, self.tools, settings, &nvcc::RDC))
            }
            Variant::Dlto => file
                .append(|file| nvcc::write(file, &self.units, self.tools, settings, &nvcc::DLTO)),
            Variant::Whole => {
                file.append(|file| whole::write(file, &self.units, self.tools, settings))
            }
            Variant::Weft | Variant::Full | Variant::WeftNvcc => {
                let map = weft::module_map(&self.units, variant, settings);
                write_if_different(&self.output(variant, weft::MODULE_MAP), &map)?;
                let order = weft::link_order(&self.units, variant, settings);
                write_if_different(&self.output(variant, weft::LINK_ORDER), &order)?;
                file.append(|file| weft::write(file, &self.units, self.tools, settings, variant))
            }
        };
        write_if_different(&self.output(variant, "build.ninja"), &written)
    }

    /// Runs Ninja with at most `jobs` commands at once, after [`Program::write_ninja`]. The error
    /// holds the output of Ninja and of the failed commands.
    pub fn build(&self, variant: Variant, target: Target, jobs: usize) -> Result<BuildLog> {
        let stopwatch = Stopwatch::start();
        let output = self.ninja(variant, target, jobs).capture()?;
        let (steps, seconds) = (build_log::steps(&output), stopwatch.seconds());
        Ok(BuildLog { steps, seconds, printed: output })
    }

    /// Does the same as [`Program::build`], and hands each line of Ninja's output to `watch` as it
    /// comes. The lines of a failed build say what failed, and the error does not.
    pub fn build_watched(
        &self,
        variant: Variant,
        target: Target,
        jobs: usize,
        mut watch: impl FnMut(&str),
    ) -> Result<BuildLog> {
        let stopwatch = Stopwatch::start();
        let mut output = String::new();
        self.ninja(variant, target, jobs).scan(|line| {
            watch(line);
            output = [&output, line, "\n"].concat();
        })?;
        let (steps, seconds) = (build_log::steps(&output), stopwatch.seconds());
        Ok(BuildLog { steps, seconds, printed: output })
    }

    fn ninja(&self, variant: Variant, target: Target, jobs: usize) -> Process {
        Process::new(&self.tools.toolchain.ninja)
            .args(["-f", &format!("{}/build.ninja", build_folder(variant))])
            .args(["-j", &jobs.to_string(), target.name()])
            .variable("NINJA_STATUS", build_log::NINJA_STATUS)
            .directory(&self.folder)
            .quietly()
    }

    /// Returns the paths of the cubins of the device link.
    pub fn cubins(&self) -> Vec<PathBuf> {
        let cubins = self.units.modules().map(|unit| format!("{unit}.cubin"));
        cubins.map(|name| self.output(Variant::Weft, &name)).collect()
    }

    /// Returns the paths of the codegen phase's reports, which [`Settings::reports`] asks for.
    pub fn codegen_reports(&self) -> Vec<PathBuf> {
        let reports = self.units.modules().map(|unit| format!("{unit}.{}", weft::REPORT));
        reports.map(|name| self.output(Variant::Weft, &name)).collect()
    }

    /// Returns the symbols of the kernels that the thin link removed, after [`Target::Image`] was
    /// built.
    pub fn removed_kernels(&self) -> Result<Vec<String>> {
        self.removed_kernels_of(Variant::Weft)
    }

    /// Does the same for a build with Weft that is another variant.
    pub fn removed_kernels_of(&self, variant: Variant) -> Result<Vec<String>> {
        manifest::removed_kernels(&self.output(variant, "plans/manifest.json"))
    }

    /// Returns the seconds of processor time that the phases of each module took together, by
    /// module. [`Settings::job_times`] asks for the times.
    pub fn job_seconds(&self) -> Result<BTreeMap<String, f64>> {
        self.job_seconds_of(Variant::Weft)
    }

    /// Does the same for a build with Weft that is another variant.
    pub fn job_seconds_of(&self, variant: Variant) -> Result<BTreeMap<String, f64>> {
        job_times::read(&self.output(variant, ""))
    }

    /// Returns what the steps of the last device link with Weft used, in the order in which they
    /// started. [`Settings::usage`] asks for the figures.
    pub fn measured_steps(&self) -> Result<Vec<MeasuredStep>> {
        let mut steps = self.all_measured_steps(Variant::Weft)?;
        steps.retain(|step| !step.is_compilation());
        Ok(steps)
    }

    /// Returns what each step of a build, compilations too, used when it ran last.
    pub fn all_measured_steps(&self, variant: Variant) -> Result<Vec<MeasuredStep>> {
        step_usage::read(&self.output(variant, ""), &build_folder(variant))
    }

    /// Removes the outputs of the device link, so that the next build makes them again. The summary
    /// of device bitcode, which does not depend on the program, stays.
    pub fn forget_device_link(&self, variant: Variant) -> Result<()> {
        let folder = self.output(variant, "");
        for path in files_below(&folder)? {
            let name = path.strip_prefix(&folder).unwrap_or(&path).to_string_lossy().into_owned();
            let object = name.strip_suffix(".d").unwrap_or(&name);
            let is_of_compilers = object.starts_with("src/")
                && Path::new(object).extension().is_some_and(|extension| extension == "o");
            let is_of_ninja = name.contains("ninja")
                || [weft::MODULE_MAP, weft::LINK_ORDER, step_usage::SCRIPT_NAME]
                    .contains(&name.as_str());
            let is_of_library = self.units.bitcode.iter().any(|unit| {
                name.strip_prefix(unit.as_str())
                    .is_some_and(|ending| [".summary", ".bc"].contains(&ending))
            });
            if !is_of_compilers && !is_of_ninja && !is_of_library {
                remove(&path)?;
            }
        }
        Ok(())
    }

    /// Returns the path of the linked device image, after [`Target::Image`] was built.
    pub fn image(&self, variant: Variant) -> Result<PathBuf> {
        match variant {
            Variant::Weft | Variant::Full | Variant::WeftNvcc => {
                Ok(self.output(variant, weft::IMAGE))
            }
            Variant::Whole => Ok(self.output(variant, whole::IMAGE)),
            // nvcc keeps it in the host object only.
            Variant::Rdc | Variant::Dlto => self.image_in(
                &self.output(variant, nvcc::DEVICE_OBJECT),
                &self.output(variant, "image"),
            ),
        }
    }

    /// Takes the only image out of a host object or program into an empty `folder`.
    pub fn image_in(&self, file: &Path, folder: &Path) -> Result<PathBuf> {
        remove(folder)?;
        fs::create_dir_all(folder).map_err(while_trying("create", folder))?;
        Process::new(&self.tools.toolchain.cuobjdump)
            .args(["-xelf", "all"])
            .arg(file)
            .directory(folder)
            .quietly()
            .capture()?;
        let entries = fs::read_dir(folder).map_err(while_trying("read", folder))?;
        let images: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        match images.as_slice() {
            [image] => Ok(image.clone()),
            _ => Err(Error::new(format!(
                "{}: one image was expected, {} were extracted",
                folder.display(),
                images.len()
            ))),
        }
    }

    /// Runs the executable and returns its output; a failure is an error.
    pub fn run(&self, variant: Variant) -> Result<String> {
        Process::new(self.executable(variant)).directory(&self.folder).quietly().capture()
    }
}

/// Copies a program's folder without its outputs.
pub fn copy_sources(source: &Path, folder: &Path) -> Result<()> {
    remove(folder)?;
    units::copy(source, folder)
}

/// Writes a file unless it has this text already, as Ninja compares times.
fn write_if_different(path: &Path, text: &str) -> Result<()> {
    if fs::read(path).is_ok_and(|present| present == text.as_bytes()) {
        return Ok(());
    }
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(while_trying("create", folder))?;
    }
    fs::write(path, text).map_err(while_trying("write", path))
}
