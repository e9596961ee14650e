//! Weft beside `nvcc -dlto` on the same units of nvcc.
//!
//! Both builds start with the same LTO IR, so they differ in the device link alone. The metrics of
//! kernels are those of the bench of kernels; besides:
//!
//! | metric | figure |
//! |---|---|
//! | `image_bytes_worst_program` | bytes of the linked image over dlto's, largest over programs |
//! | `instructions_worst_program` | geometric mean over a program's kernels, largest of programs |
//! | `cpu_geomean` | processor time of the device link from nothing over dlto's |
//! | `longest_job_share` | share of the longest job in the device link of 32 generated units |
//! | `edit_share` | processor time of the device link after an edit of one body, over dlto's link |
//! | `edit_share_for_edits` | the same with `--tune-for=edits` |
//! | `edit_registers` | registers of kernels with `--tune-for=edits` over those without it |
//! | `noop_jobs` | steps that run where nothing changed, over all programs |
//! | `summarize_share` | processor time of all summaries over that of compiling |
//!
//! Links are repeated in turns, three to five times, and their medians count. `cpu_geomean` leaves
//! out the summaries, and programs of which dlto takes less than one second. `edit_share` is the
//! median over the units of the programs of 24 and 32 generated units.
//!
//! Names of local kernels hold a number of the unit's path, which differs between the folders of
//! the builds, so both builds of a program are in one folder.

use std::path::{Path, PathBuf};

use crate::closing::edits;
use crate::device_link::{Setup, build, link};
use crate::figures::{geometric_mean, median, number, print_metric, size};
use crate::kernels::metrics::{self, Built};
use crate::kernels::{pairs, worst};
use dev_builds::{Program, Settings, Target, Tools, Variant};
use dev_process::Result;
use dev_programs::deep::Size;
use dev_programs::{Selection, Source, generated_sizes};
use dev_sass::Image;

/// Programs besides the generated ones.
const OTHERS: [&str; 5] = ["transport", "ggml", "cub", "functors", "lightgbm"];
/// Program whose longest job is a metric, and programs whose edits are.
const LONGEST: &str = "generated32";
const EDITED: [&str; 2] = ["generated24", "generated32"];

/// Seconds of dlto's processor time after which no link is repeated.
const ENOUGH: f64 = 20.0;
/// Rounds of each link, at least and at most.
const ROUNDS: [usize; 2] = [3, 5];

/// Choice of programs.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Programs to build; an empty list means all.
    pub only: Vec<String>,
    /// Seed of the generated programs.
    pub seed: u64,
    /// Folder of executables to use instead of the checkout's, to compare versions.
    pub executables: Option<PathBuf>,
}

/// Figures of one program, but for its kernels.
struct Figures {
    program: &'static str,
    /// Bytes of the image over dlto's.
    bytes: f64,
    /// Processor time of the summaries over that of compiling.
    summaries: f64,
    noop_steps: usize,
}

/// Builds all programs in both ways and prints their comparison.
pub fn run(root: &Path, options: &Options) -> Result<()> {
    let Setup { folder, tools } = Setup::new(root, "nvcc", options.executables.as_deref())?;
    let (mut all, mut figures) = (Vec::new(), Vec::new());
    let (mut edits, mut longest) = (Vec::new(), None);
    for (source, generated) in sources(root, options)? {
        let (built, of_program, jobs) = measure(&source, &folder, &tools)?;
        longest = longest.or(jobs);
        if let Some(generated) = generated.filter(|_| EDITED.contains(&source.name)) {
            edits.push(Edits::measure(&source, &generated, &folder, &tools, built.seconds.1)?);
        }
        all.push(built);
        figures.push(of_program);
    }
    for (name, value) in
        metrics::metrics(&all).into_iter().filter(|(name, _)| name != "cpu_geomean")
    {
        print_metric(&format!("nvcc.{name}"), value);
    }
    for Figures { program, bytes, summaries, .. } in &figures {
        print_metric(&format!("nvcc.{program}.image_bytes"), *bytes);
        print_metric(&format!("nvcc.{program}.summarize_share"), *summaries);
    }
    let largest = |values: &mut dyn Iterator<Item = f64>| values.fold(0.0, f64::max);
    let instructions = metrics::metrics(&all);
    let instructions =
        instructions.iter().filter(|(name, _)| name.ends_with(".instructions_geomean"));
    let worst = largest(&mut instructions.map(|(_, value)| *value));
    print_metric("nvcc.instructions_worst_program", worst);
    let bytes = largest(&mut figures.iter().map(|figures| figures.bytes));
    print_metric("nvcc.image_bytes_worst_program", bytes);
    let slow = all.iter().filter(|program| program.seconds.1 > 1.0);
    let cpu = slow.map(|program| program.seconds.0 / program.seconds.1);
    print_metric("nvcc.cpu_geomean", geometric_mean(cpu));
    if let Some(longest) = longest {
        print_metric("nvcc.longest_job_share", longest);
    }
    if !edits.is_empty() {
        let all = |shares: fn(&Edits) -> &[f64]| edits.iter().flat_map(shares).copied();
        print_metric("nvcc.edit_share", median(all(|edits| &edits.shares)));
        print_metric("nvcc.edit_share_for_edits", median(all(|edits| &edits.tuned_shares)));
        let registers = edits.iter().map(|edits| edits.registers);
        print_metric("nvcc.edit_registers", geometric_mean(registers));
    }
    let noop: usize = figures.iter().map(|figures| figures.noop_steps).sum();
    print_metric("nvcc.noop_jobs", number(noop as u64));
    let summaries = figures.iter().map(|figures| figures.summaries);
    print_metric("nvcc.summarize_share", geometric_mean(summaries));
    Ok(())
}

/// Returns the chosen programs, the generated ones with their sizes.
fn sources(root: &Path, options: &Options) -> Result<Vec<(Source, Option<Size>)>> {
    let generated = generated_sizes(options.seed);
    let names: Vec<&'static str> =
        generated.iter().map(|(source, _)| source.name).chain(OTHERS).collect();
    let is_chosen =
        |name: &&str| options.only.is_empty() || options.only.iter().any(|chosen| chosen == name);
    let mut sources: Vec<_> = generated
        .into_iter()
        .filter(|(source, _)| is_chosen(&source.name))
        .map(|(source, size)| (source, Some(size)))
        .collect();
    let others: Vec<&'static str> = if options.only.is_empty() { OTHERS.to_vec() } else { names };
    let only: Vec<String> =
        options.only.iter().filter(|name| !name.starts_with("generated")).cloned().collect();
    if options.only.is_empty() || !only.is_empty() {
        let selection = Selection { names: &others, only: &only, quick: false, seed: options.seed };
        sources
            .extend(dev_programs::all(root, &selection)?.into_iter().map(|source| (source, None)));
    }
    Ok(sources)
}

/// Builds one program in both ways. The last result is the share of the longest job, for the
/// program of which it is a metric.
fn measure(source: &Source, folder: &Path, tools: &Tools) -> Result<(Built, Figures, Option<f64>)> {
    println!("{}: {}", source.name, source.what);
    let program = source.open(folder, Variant::WeftNvcc, tools)?;
    let settings = Settings { job_times: true, ..source.settings() };
    program.write_ninja(Variant::WeftNvcc, &settings)?;
    let compiled = build(&program, Variant::WeftNvcc, Target::Objects)?.processor;
    let Links { weft, summaries, dlto } = links(&program, &settings)?;
    let noop = build(&program, Variant::WeftNvcc, Target::Image)?.log.steps.len();
    println!(
        "  device link: {weft:.2} s of processor time, summaries {summaries:.2} s, nvcc -dlto \
         {dlto:.2} s"
    );
    let image = |variant| -> Result<(Image, f64)> {
        let path = program.image(variant)?;
        Ok((dev_sass::read(&tools.toolchain, &path)?, number(size(&path)?)))
    };
    let ((ours, our_bytes), (other, bytes)) = (image(Variant::WeftNvcc)?, image(Variant::Dlto)?);
    let removed = program.removed_kernels_of(Variant::WeftNvcc)?;
    let removed: Vec<&str> = removed.iter().map(String::as_str).collect();
    let removed = dev_sass::all_names(&tools.toolchain, &removed)?.into_iter().collect();
    let pairs = pairs::of(&ours, &other, &removed)?;
    println!("{}", worst::lists(&pairs, Variant::Dlto.name()));
    let jobs = program.job_seconds_of(Variant::WeftNvcc)?.into_values();
    let longest = (source.name == LONGEST).then(|| metrics::longest_share(jobs, weft));
    let figures = Figures {
        program: source.name,
        bytes: our_bytes / bytes,
        summaries: if compiled > 0.0 { summaries / compiled } else { 0.0 },
        noop_steps: noop,
    };
    Ok((Built { program: source.name, pairs, seconds: (weft, dlto) }, figures, longest))
}

/// Seconds of processor time of the device links of one program, each the median of its rounds.
struct Links {
    weft: f64,
    /// The summaries before Weft's link.
    summaries: f64,
    dlto: f64,
}

/// Links a program in both ways, in turns: short links take a tenth more or less from one second to
/// the next, so they are repeated.
fn links(program: &Program<'_>, settings: &Settings) -> Result<Links> {
    let (mut weft, mut summaries, mut dlto) = (Vec::new(), Vec::new(), Vec::new());
    let [least, most] = ROUNDS;
    while dlto.len() < least || dlto.iter().sum::<f64>() < ENOUGH && dlto.len() < most {
        dlto.push(link(program, Variant::Dlto, settings)?.processor);
        program.write_ninja(Variant::WeftNvcc, settings)?;
        program.forget_device_link(Variant::WeftNvcc)?;
        summaries.push(build(program, Variant::WeftNvcc, Target::Summaries)?.processor);
        weft.push(build(program, Variant::WeftNvcc, Target::Image)?.processor);
    }
    Ok(Links { weft: median(weft), summaries: median(summaries), dlto: median(dlto) })
}

/// Figures of the edits of one program.
struct Edits {
    /// Processor time of the device link after an edit of each unit, over dlto's link.
    shares: Vec<f64>,
    /// The same in a build that is tuned for edits.
    tuned_shares: Vec<f64>,
    /// Registers of kernels in that build over those in the other: the geometric mean.
    registers: f64,
}

impl Edits {
    fn measure(
        source: &Source,
        size: &Size,
        folder: &Path,
        tools: &Tools,
        dlto: f64,
    ) -> Result<Self> {
        let [fresh, place] = ["source", "weft"].map(|name| folder.join("edits").join(name));
        source.write(&fresh)?;
        let settings = source.settings();
        let tuned =
            Settings { thinlink_options: vec![edits::TUNED.to_owned()], ..source.settings() };
        let program = Program::copy(&fresh, &place, tools)?;
        let shares = edit_shares(&program, size, &settings, dlto)?;
        let tuned_shares = edit_shares(&program, size, &tuned, dlto)?;
        let registers =
            edits::registers_for_edits(&program, Variant::WeftNvcc, &settings, &tools.toolchain)?;
        Ok(Self { shares, tuned_shares, registers })
    }
}

/// Returns the processor time of the device link after an edit of each unit, over dlto's link.
fn edit_shares(
    program: &Program<'_>,
    size: &Size,
    settings: &Settings,
    dlto: f64,
) -> Result<Vec<f64>> {
    println!("  edits {}", settings.thinlink_options.join(" "));
    link(program, Variant::WeftNvcc, settings)?;
    let mut shares = Vec::new();
    edits::in_each_unit(program, size, |function| {
        build(program, Variant::WeftNvcc, Target::Objects)?;
        let linked = build(program, Variant::WeftNvcc, Target::Image)?;
        let ran = linked.log.count(&["import", "assemble"]);
        println!("  {function:6} {ran:2} jobs ran: {:.2} s", linked.processor);
        shares.push(linked.processor / dlto);
        Ok(())
    })?;
    Ok(shares)
}
