//! One program in a folder of its own, and its builds.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::build_log::{self, BuildLog};
use crate::ninja_file::NinjaFile;
use crate::settings::Settings;
use crate::units::{self, Units, files_below};
use crate::variant::{Target, Tools, Variant, build_folder};
use crate::{job_times, manifest, nvcc, weft, whole};
use dev_process::{Error, Process, Result, Stopwatch, remove, while_trying};

/// One program in a folder of its own.
#[derive(Debug)]
pub struct Program<'tools> {
    folder: PathBuf,
    units: Units,
    tools: &'tools Tools,
}

impl<'tools> Program<'tools> {
    /// A fresh copy of the program in `source`. What was in `folder` is removed.
    pub fn copy(source: &Path, folder: &Path, tools: &'tools Tools) -> Result<Self> {
        remove(folder)?;
        units::copy(source, folder)?;
        Self::open(folder, tools)
    }

    /// A copy of the program in `source`: what is in `folder`, with what was built there, when it is
    /// the same program, else a fresh one.
    pub fn copy_if_different(source: &Path, folder: &Path, tools: &'tools Tools) -> Result<Self> {
        if units::are_same(source, folder)? {
            Self::open(folder, tools)
        } else {
            Self::copy(source, folder, tools)
        }
    }

    /// The program in `folder`, as it is.
    pub fn open(folder: &Path, tools: &'tools Tools) -> Result<Self> {
        Ok(Self { folder: folder.to_path_buf(), units: Units::find(folder)?, tools })
    }

    /// Its folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Its units.
    pub fn units(&self) -> &Units {
        &self.units
    }

    /// A file of a build, such as `plans/manifest.json` or `src/a.cu.ptx` of Weft's.
    pub fn output(&self, variant: Variant, name: &str) -> PathBuf {
        self.folder.join(build_folder(variant)).join(name)
    }

    /// The executable that [`Target::Program`] makes.
    pub fn executable(&self, variant: Variant) -> PathBuf {
        self.output(variant, "program")
    }

    /// Writes `build.ninja` and what it needs, unless they are there already.
    pub fn write_ninja(&self, variant: Variant, settings: &Settings) -> Result<()> {
        let mut file = NinjaFile::new(build_folder(variant), self.tools);
        let written = match variant {
            Variant::Rdc => {
                file.append(|file| nvcc::write(file, &self.units, self.tools, settings, &nvcc::RDC))
            }
            Variant::Dlto => file
                .append(|file| nvcc::write(file, &self.units, self.tools, settings, &nvcc::DLTO)),
            Variant::Whole => {
                file.append(|file| whole::write(file, &self.units, self.tools, settings))
            }
            Variant::Weft => {
                let map = weft::module_map(&self.units);
                write_if_different(&self.output(variant, weft::MODULE_MAP), &map)?;
                let order = weft::link_order(&self.units);
                write_if_different(&self.output(variant, weft::LINK_ORDER), &order)?;
                file.append(|file| weft::write(file, &self.units, self.tools, settings))
            }
        };
        write_if_different(&self.output(variant, "build.ninja"), &written)
    }

    /// Runs Ninja with at most `jobs` commands at once. [`Program::write_ninja`] comes before.
    /// The error holds what Ninja and the failed commands printed.
    pub fn build(&self, variant: Variant, target: Target, jobs: usize) -> Result<BuildLog> {
        let stopwatch = Stopwatch::start();
        let output = Process::new(&self.tools.toolchain.ninja)
            .args(["-f", &format!("{}/build.ninja", build_folder(variant))])
            .args(["-j", &jobs.to_string(), target.name()])
            .variable("NINJA_STATUS", build_log::NINJA_STATUS)
            .directory(&self.folder)
            .quietly()
            .capture()?;
        let (steps, seconds) = (build_log::steps(&output), stopwatch.seconds());
        Ok(BuildLog { steps, seconds, printed: output })
    }

    /// The cubins of the device link.
    pub fn cubins(&self) -> Vec<PathBuf> {
        let cubins = self.units.modules().map(|unit| format!("{unit}.cubin"));
        cubins.map(|name| self.output(Variant::Weft, &name)).collect()
    }

    /// What the codegen phase said of each module, where [`Settings::reports`] asked for it.
    pub fn codegen_reports(&self) -> Vec<PathBuf> {
        let reports = self.units.modules().map(|unit| format!("{unit}.{}", weft::REPORT));
        reports.map(|name| self.output(Variant::Weft, &name)).collect()
    }

    /// Returns the symbols of the kernels that the thin link removed, after [`Target::Image`] was built.
    pub fn removed_kernels(&self) -> Result<Vec<String>> {
        manifest::removed_kernels(&self.output(Variant::Weft, "plans/manifest.json"))
    }

    /// Seconds of processor time that the phases of each module took together, by the module, where
    /// [`Settings::job_times`] asked for it.
    pub fn job_seconds(&self) -> Result<BTreeMap<String, f64>> {
        job_times::read(&self.output(Variant::Weft, ""))
    }

    /// Removes what was made from the units' objects, so that the next build makes it again. What is made
    /// of device bitcode once, whatever it is linked with, stays: its summary.
    pub fn forget_device_link(&self, variant: Variant) -> Result<()> {
        let folder = self.output(variant, "");
        for path in files_below(&folder)? {
            let name = path.strip_prefix(&folder).unwrap_or(&path).to_string_lossy().into_owned();
            let object = name.strip_suffix(".d").unwrap_or(&name);
            let is_of_compilers = object.starts_with("src/")
                && Path::new(object).extension().is_some_and(|it| it == "o");
            let is_of_ninja = name.contains("ninja")
                || [weft::MODULE_MAP, weft::LINK_ORDER].contains(&name.as_str());
            let is_of_library = self.units.bitcode.iter().any(|unit| {
                name.strip_prefix(unit.as_str()).is_some_and(|it| [".summary", ".bc"].contains(&it))
            });
            if !is_of_compilers && !is_of_ninja && !is_of_library {
                remove(&path)?;
            }
        }
        Ok(())
    }

    /// The linked device image as a file, after [`Target::Image`] was built.
    pub fn image(&self, variant: Variant) -> Result<PathBuf> {
        match variant {
            Variant::Weft => Ok(self.output(variant, weft::IMAGE)),
            Variant::Whole => Ok(self.output(variant, whole::IMAGE)),
            Variant::Rdc | Variant::Dlto => self.extract_image(variant),
        }
    }

    /// nvcc keeps the image in the host object only: takes it out.
    fn extract_image(&self, variant: Variant) -> Result<PathBuf> {
        let folder = self.output(variant, "image");
        remove(&folder)?;
        fs::create_dir_all(&folder).map_err(while_trying("create", &folder))?;
        Process::new(&self.tools.toolchain.cuobjdump)
            .args(["-xelf", "all"])
            .arg(self.output(variant, nvcc::DEVICE_OBJECT))
            .directory(&folder)
            .quietly()
            .capture()?;
        let entries = fs::read_dir(&folder).map_err(while_trying("read", &folder))?;
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

    /// Runs the executable and returns what it printed; a failure is an error.
    pub fn run(&self, variant: Variant) -> Result<String> {
        Process::new(self.executable(variant)).directory(&self.folder).quietly().capture()
    }
}

/// Copies a program's folder but for what was built in it.
pub fn copy_sources(source: &Path, folder: &Path) -> Result<()> {
    remove(folder)?;
    units::copy(source, folder)
}

/// Ninja looks at times: what did not change keeps its own.
fn write_if_different(path: &Path, text: &str) -> Result<()> {
    if fs::read(path).is_ok_and(|present| present == text.as_bytes()) {
        return Ok(());
    }
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(while_trying("create", folder))?;
    }
    fs::write(path, text).map_err(while_trying("write", path))
}
