//! Random programs as inputs of a link.

use super::inputs::{LinkInput, LinkInputKind, LinkInputs};
use super::runner::{Failure, check};
use crate::Workbench;
use crate::meaning::{Options, compile_object};
use crate::programs::Program;
use crate::random::Random;

/// What tells the thin link that the host's references are complete.
const COMPLETE: &str = "--has-global-host-info";
/// What makes it take no notice of them.
const IGNORED: &str = "--ignore-host-info";

/// Compares the program of `seed`, with options that the seed draws.
pub fn check_random(seed: u64) -> Result<(), Box<Failure>> {
    let options = Options::draw(&mut Random::new(!seed));
    check(&format!("program {seed} with {options}"), |bench| inputs(bench, seed, &options))
}

fn inputs(bench: &Workbench, seed: u64, options: &Options) -> Result<LinkInputs, String> {
    let program = Program::generate(seed);
    let mut files = Vec::new();
    for (unit, name) in program.names().into_iter().enumerate() {
        bench.write(&format!("{name}.cu"), program.text(unit));
        compile_object(bench, name, &options.compile())?;
        let path = format!("{name}.o");
        files.push(LinkInput { path, kind: LinkInputKind::Object, module_id: name.to_owned() });
    }
    // Other programs than those whose meaning is compared: the order of links is no module's name.
    let mut random = Random::new(seed);
    for last in (1..files.len()).rev() {
        files.swap(last, random.below(last + 1));
    }
    let mut thinlink: Vec<String> = Vec::new();
    if !options.thinlink().contains(&COMPLETE) {
        thinlink.push(IGNORED.to_owned());
    }
    let others = options.thinlink().into_iter().filter(|it| *it != COMPLETE);
    thinlink.extend(others.map(str::to_owned));
    Ok(LinkInputs {
        files,
        thinlink,
        codegen: options.codegen().into_iter().map(str::to_owned).collect(),
        launched: program.launches.iter().map(|it| it.kernel.clone()).collect(),
        touched: program.host_arrays.iter().map(|it| it.name.clone()).collect(),
        ..LinkInputs::default()
    })
}
