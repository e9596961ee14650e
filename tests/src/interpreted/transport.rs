//! The example.

use std::path::Path;

use dev_interpreter::{Fault, Launch, Machine, Program};

use super::nvidia;
use crate::meaning::Difference;
use crate::oracle::ptx_of;
use crate::reference::transport_objects;
use crate::{Workbench, tools, workspace_root};

/// Sizes of `constants.h`.
const CELLS: usize = 16 * 16 * 16;
const LAYERS: u32 = 16;
const GROUPS: u32 = 8;
const FILTERS: u32 = 3;
const STEPS: u32 = 24;
const BLOCK: u32 = 128;
/// Size of a `Particle`, in bytes.
const PARTICLE: usize = 44;
/// Number of particles: two full blocks and a part of one.
const PARTICLES: u32 = 300;
const SEED: u32 = 20_240_229;

/// Contents of memory after all launches, with names. Sums of integers do not depend on the order
/// of threads, so every build must reach the same.
type Results = Vec<(&'static str, Vec<u64>)>;

/// Runs the example from the PTX of three builds and compares all its results.
pub fn check_transport() -> Result<(), Box<Difference>> {
    let bench = Workbench::new();
    compare(&bench).map_err(|story| Box::new(Difference { story, folder: bench.keep() }))
}

fn compare(bench: &Workbench) -> Result<(), String> {
    let objects = transport_objects(bench.path())?;
    let units: Vec<String> = objects.into_iter().filter(|unit| is_cuda(unit)).collect();
    for unit in &units {
        bench
            .weft("summarize")
            .args(["--module-id", unit, "-o", &format!("{unit}.summary")])
            .args(["--bitcode", &format!("{unit}.bc"), &format!("{unit}.o")])
            .attempt()?;
    }
    let mut plain = Vec::new();
    for unit in &units {
        plain.push((format!("plain/{unit}"), ptx_of(bench, &format!("{unit}.bc"))?));
    }
    let summaries = units.iter().map(|unit| format!("{unit}.summary"));
    bench
        .weft("thinlink")
        .args(["-o", "plans", "--has-global-host-info"])
        .args(summaries)
        .attempt()?;
    let mut weft = Vec::new();
    for unit in &units {
        let output = format!("{unit}.ptx");
        bench
            .weft("backend-job")
            .args(["run", "--emit", "ptx", "-o", &output])
            .args(["--plan", &format!("plans/{unit}.plan"), "--module", &format!("{unit}.bc")])
            .args(units.iter().map(|unit| format!("--import={unit}={unit}.bc")))
            .arg("--ptxas")
            .arg(tools().cuda("ptxas"))
            .attempt()?;
        let text = String::from_utf8_lossy(&bench.read(&output)).into_owned();
        weft.push((format!("weft/{unit}"), text));
    }
    let example = workspace_root().join("examples/transport");
    let include = format!("-I{}", example.join("include").display());
    let sources: Vec<(String, String)> =
        units.iter().map(|unit| (unit.clone(), example.join(unit).display().to_string())).collect();
    let whole = nvidia::ptx(bench, &sources, &["-std=c++17", "-O3", &include])?;
    let nvcc = vec![("nvcc".to_owned(), whole)];
    let mut results: Vec<(&str, Results)> = Vec::new();
    for (build, files) in [("plain PTX", plain), ("Weft's PTX", weft), ("nvcc's PTX", nvcc)] {
        let found = run(&files).map_err(|fault| format!("{build}: {fault}"))?;
        check_by_the_processor(&found).map_err(|story| format!("{build}: {story}"))?;
        results.push((build, found));
    }
    let (first_build, first) = &results[0];
    for (build, found) in &results[1..] {
        for ((name, one), (_, other)) in first.iter().zip(found) {
            if one != other {
                return Err(format!(
                    "{name} differs: from {first_build} {one:?}, from {build} \
                                    {other:?}"
                ));
            }
        }
    }
    Ok(())
}

/// The other objects have host code alone.
fn is_cuda(unit: &str) -> bool {
    Path::new(unit).extension().is_some_and(|extension| extension == "cu")
}

/// Computes some results from others on the processor.
fn check_by_the_processor(results: &Results) -> Result<(), String> {
    let of = |wanted: &str| {
        let found = results.iter().find(|(name, _)| *name == wanted);
        found.map(|(_, values)| values.as_slice()).unwrap_or_default()
    };
    let (lengths, groups) = (of("lengths"), GROUPS as usize);
    let spectrum: Vec<u64> = (0..groups)
        .map(|group| {
            let cells: Vec<u64> = lengths.iter().skip(group).step_by(groups).copied().collect();
            // Each thread of a block takes every 128th cell.
            let spreads = (0..BLOCK as usize).map(|thread| {
                let own = cells.iter().skip(thread).step_by(BLOCK as usize);
                own.clone().max().unwrap_or(&0) - own.min().unwrap_or(&0)
            });
            16 * cells.iter().sum::<u64>() - spreads.sum::<u64>()
        })
        .collect();
    let dose: Vec<u64> =
        (0..).zip(of("fast")).map(|(layer, value)| (value * (160 + 3 * layer)) >> 8).collect();
    let births = of("events").first().copied().unwrap_or_default();
    for (name, expected, found) in [
        ("spectrum", spectrum.as_slice(), of("spectrum")),
        ("dose", &dose, of("dose")),
        ("births", &[u64::from(PARTICLES)], &[births]),
    ] {
        if expected != found {
            return Err(format!("{name} is {found:?} and must be {expected:?}"));
        }
        if expected.iter().all(|value| *value == 0) {
            return Err(format!("{name} is all zeros"));
        }
    }
    Ok(())
}

/// A run of the example.
struct Run<'program> {
    program: &'program Program,
    machine: Machine<'program>,
}

/// Does what the example's host code does, and returns its results.
fn run(files: &[(String, String)]) -> Result<Results, Fault> {
    let files = files.iter().map(|(name, text)| (name.as_str(), text.as_str()));
    let program = Program::link(files)?;
    let mut run = Run { program: &program, machine: Machine::new(&program) };
    let mut buffer = |words: usize| run.machine.allocate(words * size_of::<u64>());
    let [lengths, flux, spectrum] =
        [buffer(CELLS * GROUPS as usize), buffer(LAYERS as usize), buffer(GROUPS as usize)];
    let filtered = buffer((FILTERS * GROUPS) as usize);
    let [thermal, fast, dose] = [(); 3].map(|()| buffer(LAYERS as usize));
    let particles = run.machine.allocate(PARTICLE * PARTICLES as usize);
    let sections = run.machine.allocate(32 * size_of::<f32>());
    run.upload(sections)?;

    let mut view = bytes(&[particles]);
    view.extend(PARTICLES.to_le_bytes().into_iter().chain([0; 4]));
    let source = [SEED, 1536, 1536, 256, 10].map(u32::to_le_bytes).concat();
    let blocks = PARTICLES.div_ceil(BLOCK);
    run.launch("emit_particles", "", blocks, BLOCK, &[view.clone(), source])?;
    for _ in 0..STEPS {
        let arguments = [view.clone(), bytes(&[sections]), bytes(&[lengths])];
        run.launch("advance_particles", "", blocks, BLOCK, &arguments)?;
        run.launch("collide_particles", "", blocks, BLOCK, std::slice::from_ref(&view))?;
        run.launch("roulette_particles", "", blocks, BLOCK, std::slice::from_ref(&view))?;
    }
    let cells = u32::try_from(CELLS).unwrap_or(u32::MAX);
    let pair = |one: u64, other: u64| [bytes(&[one]), bytes(&[other])];
    run.launch("tally_flux", "", cells.div_ceil(BLOCK), BLOCK, &pair(lengths, flux))?;
    run.launch("reduce_spectrum", "", GROUPS, BLOCK, &pair(lengths, spectrum))?;
    run.launch("apply_filters", "", 1, FILTERS * GROUPS, &pair(spectrum, filtered))?;
    run.launch("fold_response", "ThermalResponse", LAYERS, BLOCK, &pair(lengths, thermal))?;
    run.launch("fold_response", "FastResponse", LAYERS, BLOCK, &pair(lengths, fast))?;
    run.launch("fold_response", "FastResponse", LAYERS, BLOCK, &pair(lengths, dose))?;
    run.launch("scale_dose", "", 1, LAYERS, &[bytes(&[dose])])?;

    let [events, survivors] = [run.variable("event_counts")?, run.variable("survivors")?];
    let places = [
        ("lengths", lengths, CELLS * GROUPS as usize),
        ("flux", flux, LAYERS as usize),
        ("spectrum", spectrum, GROUPS as usize),
        ("filtered", filtered, (FILTERS * GROUPS) as usize),
        ("thermal", thermal, LAYERS as usize),
        ("fast", fast, LAYERS as usize),
        ("dose", dose, LAYERS as usize),
        ("events", events, 8),
        ("survivors", survivors, 1),
    ];
    places.into_iter().map(|(name, at, words)| Ok((name, run.words(at, words)?))).collect()
}

impl Run<'_> {
    /// Writes the tables, as `upload_tables` and the class of the texture do.
    fn upload(&mut self, sections: u64) -> Result<(), Fault> {
        let directions = (0..27).filter(|pattern| *pattern != 13);
        let directions: Vec<u8> = directions
            .flat_map(|pattern: i32| [pattern % 3 - 1, pattern / 3 % 3 - 1, pattern / 9 - 1])
            .flat_map(i32::to_le_bytes)
            .collect();
        let spectrum = [18_000_u32, 36_000, 48_000, 56_000, 60_000, 63_000, 65_000, 65_536];
        // Mean free paths fall by equal steps in each material.
        let paths = [(2.5_f32, 0.25_f32), (1.5, 0.125), (1.0, 0.125), (6.0, 0.5)];
        let paths = paths.into_iter().flat_map(|(start, step)| {
            std::iter::successors(Some(start), move |path| Some(path - step)).take(8)
        });
        let paths: Vec<u8> = paths.flat_map(f32::to_le_bytes).collect();
        let (table, birth) = (self.variable("direction_table")?, self.variable("birth_spectrum")?);
        self.machine.write(table, &directions)?;
        self.machine.write(birth, &spectrum.map(u32::to_le_bytes).concat())?;
        self.machine.write(sections, &paths)
    }

    /// Launches the kernel whose mangled name has both parts.
    fn launch(
        &mut self,
        name: &str,
        part: &str,
        blocks: u32,
        threads: u32,
        arguments: &[Vec<u8>],
    ) -> Result<(), Fault> {
        let found = only(self.program.kernels(), &[name, part])?;
        self.machine.launch(&Launch {
            dynamic_shared_bytes: LAYERS * 8,
            ..Launch::new(&found, [blocks, 1, 1], [threads, 1, 1], arguments)
        })
    }

    fn variable(&self, part: &str) -> Result<u64, Fault> {
        let name = only(self.program.variables(), &[part])?;
        Ok(self.machine.variable(&name)?.0)
    }

    fn words(&self, address: u64, count: usize) -> Result<Vec<u64>, Fault> {
        let bytes = self.machine.read(address, (count * 8) as u64)?;
        let word =
            |bytes: &[u8]| u64::from_le_bytes(<[u8; 8]>::try_from(bytes).unwrap_or_default());
        Ok(bytes.chunks_exact(8).map(word).collect())
    }
}

/// Returns the only name that has all parts.
fn only<'name>(names: impl Iterator<Item = &'name str>, parts: &[&str]) -> Result<String, Fault> {
    let found: Vec<_> = names.filter(|name| parts.iter().all(|part| name.contains(part))).collect();
    match found[..] {
        [name] => Ok(name.to_owned()),
        _ => Err(Fault {
            file: String::new(),
            line: 0,
            message: format!("the example has {found:?} for {parts:?}"),
        }),
    }
}

fn bytes(words: &[u64]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}
