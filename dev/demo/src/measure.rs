//! Builds and edits of the programs, and their figures.

use std::collections::BTreeSet;
use std::fs;

#[cfg(test)]
use dev_builds::Step;
use dev_builds::{BuildLog, Edit, Program, Settings, Target, Tools, Units, Variant};
use dev_process::{Result, while_trying};
use dev_sass::{Image, KernelCost};

/// Reads one cost of a kernel.
pub(super) type Cost = fn(&KernelCost) -> u64;

/// One value for each way of building.
#[derive(Debug, Default)]
pub(super) struct PerVariant<T> {
    pub(super) rdc: T,
    pub(super) weft: T,
    pub(super) dlto: T,
}

impl<T> PerVariant<T> {
    /// Makes the values in the order of [`Variant::ALL`].
    pub(super) fn make(mut value: impl FnMut(Variant) -> Result<T>) -> Result<Self> {
        Ok(Self {
            rdc: value(Variant::Rdc)?,
            weft: value(Variant::Weft)?,
            dlto: value(Variant::Dlto)?,
        })
    }

    pub(super) fn of(&self, variant: Variant) -> &T {
        match variant {
            Variant::Rdc => &self.rdc,
            Variant::Weft | Variant::Full | Variant::WeftNvcc => &self.weft,
            // The last variant is for programs that nvcc cannot link, of which the demo has none.
            Variant::Dlto | Variant::Whole => &self.dlto,
        }
    }
}

/// A build, part by part.
#[derive(Debug, Default)]
pub(super) struct Build {
    pub(super) objects: BuildLog,
    pub(super) image: BuildLog,
    pub(super) program: BuildLog,
}

/// Builds after a change, or after none.
#[derive(Debug, Default)]
pub(super) struct Change {
    /// The marker of the edit and its unit; nothing when nothing was edited.
    pub(super) edit: Option<(&'static str, String)>,
    pub(super) builds: PerVariant<Build>,
}

/// Weft's device link with the modules packed into two jobs for each processor, beside NVIDIA's.
#[derive(Debug, Default)]
pub(super) struct Packed {
    /// Number of commands of the link.
    pub(super) commands: usize,
    /// Median of the seconds of some links.
    pub(super) seconds: f64,
    /// Median of the seconds of as many of NVIDIA's links, done in turn with Weft's.
    pub(super) dlto_seconds: f64,
    pub(super) image: Image,
}

/// All figures that the demo shows.
#[derive(Debug)]
pub(super) struct Measurement {
    pub(super) units: Units,
    /// Builds from nothing.
    pub(super) builds: PerVariant<Build>,
    pub(super) images: PerVariant<Image>,
    pub(super) packed: Packed,
    /// Short names of the kernels that Weft's thin link removed.
    pub(super) removed: Vec<String>,
    pub(super) changes: Changes,
}

impl Measurement {
    /// Returns the kernels of any image that the thin link did not remove.
    pub(super) fn launched(&self) -> BTreeSet<&str> {
        let images = Variant::ALL.map(|variant| self.images.of(variant));
        let kernels = images.into_iter().flat_map(|image| image.kernels.keys());
        kernels.filter(|kernel| !self.removed.contains(kernel)).map(String::as_str).collect()
    }

    /// Sums every cost over the launched kernels that all images have.
    pub(super) fn sums(&self) -> PerVariant<KernelCost> {
        let mut common = self.launched();
        for variant in Variant::ALL {
            let image = self.images.of(variant);
            common.retain(|kernel| image.kernels.contains_key(*kernel));
        }
        let sum = |image: &Image| {
            let costs = common.iter().filter_map(|kernel| image.kernels.get(*kernel));
            costs.fold(KernelCost::default(), |sum, cost| sum.plus(*cost))
        };
        let PerVariant { rdc, weft, dlto } = &self.images;
        PerVariant { rdc: sum(rdc), weft: sum(weft), dlto: sum(dlto) }
    }
}

/// Changes, made one after the other.
#[derive(Debug, Default)]
pub(super) struct Changes {
    pub(super) nothing: Change,
    /// Change in a body that no other unit imports.
    pub(super) private: Change,
    /// Change in a body that other units import.
    pub(super) shared: Change,
    /// Whether Weft's image is the first image again after the edits were taken back.
    pub(super) same_image_after_undo: bool,
}

impl Changes {
    pub(super) fn all(&self) -> [&Change; 3] {
        [&self.nothing, &self.private, &self.shared]
    }
}

#[cfg(test)]
impl Measurement {
    /// Returns figures of a program with three units and a dead kernel, for which every promise
    /// holds.
    pub(super) fn sample() -> Self {
        let image = Image {
            kernels: [("live".to_owned(), KernelCost::default())].into(),
            ..Image::default()
        };
        Self {
            units: Units {
                cuda: ["a.cu", "b.cu", "c.cu"].map(str::to_owned).into(),
                ..Units::default()
            },
            builds: PerVariant::default(),
            packed: Packed { image: image.clone(), dlto_seconds: 1.0, ..Packed::default() },
            images: PerVariant { rdc: image.clone(), weft: image.clone(), dlto: image },
            removed: vec!["dead".to_owned()],
            changes: Changes {
                nothing: Change::default(),
                private: Change::sample("private-edit", "a.cu", &["a.cu"]),
                shared: Change::sample("shared-edit", "b.cu", &["a.cu", "b.cu"]),
                same_image_after_undo: true,
            },
        }
    }
}

#[cfg(test)]
impl Change {
    /// Returns a change after which codegen and assembly of these units ran.
    pub(super) fn sample(marker: &'static str, unit: &str, units: &[&str]) -> Self {
        let step = |verb: &str, unit: &str| Step { verb: verb.into(), unit: unit.into() };
        let verbs = ["codegen", "assemble"].into_iter();
        let steps = verbs.flat_map(|verb| units.iter().map(move |unit| step(verb, unit)));
        let log = BuildLog { steps: steps.collect(), ..BuildLog::default() };
        let weft = Build { image: log, ..Build::default() };
        let builds = PerVariant { weft, ..PerVariant::default() };
        Self { edit: Some((marker, unit.to_owned())), builds }
    }
}

/// Builds the program part by part, so that the device link is timed alone.
pub(super) fn build(program: &Program<'_>, variant: Variant, jobs: usize) -> Result<Build> {
    Ok(Build {
        objects: program.build(variant, Target::Objects, jobs)?,
        image: program.build(variant, Target::Image, jobs)?,
        program: program.build(variant, Target::Program, jobs)?,
    })
}

/// Number of links of which the median is taken.
const LINKS: usize = 5;

/// Links Weft's objects again in twice as many jobs as may run at once, since jobs differ in
/// length, in turn with NVIDIA's link, and then as before.
pub(super) fn packed(
    programs: &PerVariant<Program<'_>>,
    tools: &Tools,
    jobs: usize,
) -> Result<Packed> {
    let weft = &programs.weft;
    let settings = Settings { full_jobs: Some(2 * jobs), ..Settings::default() };
    weft.write_ninja(Variant::Full, &settings)?;
    let link = |program: &Program<'_>, variant| {
        program.forget_device_link(variant)?;
        program.build(variant, Target::Image, jobs)
    };
    let (mut packed, mut dlto) = (Vec::new(), Vec::new());
    for _ in 0..LINKS {
        packed.push(link(weft, Variant::Full)?);
        dlto.push(link(&programs.dlto, Variant::Dlto)?);
    }
    let image = dev_sass::read(&tools.toolchain, &weft.image(Variant::Full)?)?;
    weft.write_ninja(Variant::Weft, &Settings::default())?;
    weft.forget_device_link(Variant::Weft)?;
    build(weft, Variant::Weft, jobs)?;
    build(&programs.dlto, Variant::Dlto, jobs)?;
    let commands = packed.first().map_or(0, |log| log.steps.len());
    Ok(Packed { commands, seconds: median(&packed), dlto_seconds: median(&dlto), image })
}

fn median(logs: &[BuildLog]) -> f64 {
    let mut seconds: Vec<f64> = logs.iter().map(|log| log.seconds).collect();
    seconds.sort_by(f64::total_cmp);
    seconds.get(seconds.len() / 2).copied().unwrap_or_default()
}

/// Makes the edits one after the other, with a build after each, and takes them back at the end.
pub(super) fn changes(programs: &PerVariant<Program<'_>>, jobs: usize) -> Result<Changes> {
    let before = image_bytes(&programs.weft)?;
    println!("building again: nothing edited, one edit, another edit, edits undone");
    let nothing = Change { edit: None, builds: build_all(programs, jobs)? };
    let (private, private_edits) = edit(programs, "private-edit", jobs)?;
    let (shared, shared_edits) = edit(programs, "shared-edit", jobs)?;
    for edits in [private_edits, shared_edits] {
        for variant in Variant::ALL {
            edits.of(variant).undo()?;
        }
    }
    build_all(programs, jobs)?;
    let same_image_after_undo = image_bytes(&programs.weft)? == before;
    Ok(Changes { nothing, private, shared, same_image_after_undo })
}

fn edit(
    programs: &PerVariant<Program<'_>>,
    marker: &'static str,
    jobs: usize,
) -> Result<(Change, PerVariant<Edit>)> {
    let edits = PerVariant::make(|variant| {
        let edit = Edit::find(programs.of(variant), marker)?;
        edit.apply()?;
        Ok(edit)
    })?;
    let edit = Some((marker, edits.weft.unit().to_owned()));
    Ok((Change { edit, builds: build_all(programs, jobs)? }, edits))
}

fn build_all(programs: &PerVariant<Program<'_>>, jobs: usize) -> Result<PerVariant<Build>> {
    PerVariant::make(|variant| build(programs.of(variant), variant, jobs))
}

fn image_bytes(weft: &Program<'_>) -> Result<Vec<u8>> {
    let path = weft.image(Variant::Weft)?;
    fs::read(&path).map_err(while_trying("read", &path))
}
