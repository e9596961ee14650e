//! Random programs as inputs of a link.

use super::inputs::{LinkInput, LinkInputKind, LinkInputs};
use super::runner::{Failure, check};
use crate::meaning::{Options, compile_object};
use crate::{Run, Workbench};
use dev_programs::random::Program;
use dev_random::Choices;

/// Option that tells the thin link that the host's references are complete.
const COMPLETE: &str = "--has-global-host-info";
/// Option that makes the thin link ignore the host's references.
const IGNORED: &str = "--ignore-host-info";

/// Options for host code. They decide in which form host code refers to device code.
pub(crate) const HOST: [&[&str]; 4] = [
    &["-Xarch_host", "-O0"],
    &["-Xarch_host", "-O2", "-ffunction-sections", "-fdata-sections"],
    &["-Xarch_host", "-O2", "-fPIC", "-fno-semantic-interposition"],
    &["-Xarch_host", "-O1", "-fPIC", "-fno-semantic-interposition", "-ffunction-sections"],
];

/// Compares the links of the program of `seed`, with options that the seed determines.
pub fn check_random(seed: u64) -> Result<(), Box<Failure>> {
    let mut random = Choices::new(!seed);
    let options = Options::draw(&mut random);
    let host = *random.pick(&HOST);
    let split = *random.pick(&[0, 0, 2, 3]);
    let host_options = host.join(" ");
    let program = format!("program {seed} with {host_options} {options} in {split} partitions");
    let compile_options = [host, &options.compile()].concat();
    check(&program, |bench| {
        let inputs = inputs_of(bench, &Program::generate(seed), seed, &compile_options, &options)?;
        Ok(LinkInputs { split, ..inputs })
    })
}

/// Compiles the units of a program, and returns the inputs of its link: files and options. The seed
/// determines the order of the files and which of them are bundled.
pub(crate) fn inputs_of(
    bench: &Workbench,
    program: &Program,
    seed: u64,
    compile_options: &[&str],
    options: &Options,
) -> Result<LinkInputs, String> {
    let mut files = Vec::new();
    for (unit, name) in program.names().into_iter().enumerate() {
        bench.write(&format!("{name}.cu"), program.text(unit));
        compile_object(bench, name, compile_options)?;
        let path = format!("{name}.o");
        files.push(LinkInput { path, kind: LinkInputKind::Object, module_id: name.to_owned() });
    }
    // The link order is shuffled, so that it differs from the order of the modules' names.
    let mut random = Choices::new(seed);
    for last in (1..files.len()).rev() {
        files.swap(last, random.below(last + 1));
    }
    bundle(bench, &mut random, &mut files)?;
    let mut thinlink: Vec<String> = Vec::new();
    if !options.thinlink().contains(&COMPLETE) {
        thinlink.push(IGNORED.to_owned());
    }
    let others = options.thinlink().into_iter().filter(|option| *option != COMPLETE);
    thinlink.extend(others.map(str::to_owned));
    let job = [options.codegen(), options.assemble()].concat();
    Ok(LinkInputs {
        files,
        thinlink,
        job: job.into_iter().map(str::to_owned).collect(),
        launched: program.launches.iter().map(|launch| launch.kernel.clone()).collect(),
        touched: program.host_arrays.iter().map(|array| array.name.clone()).collect(),
        ..LinkInputs::default()
    })
}

/// Bundles the first files of some programs into one file, as builds do: into an archive, or into
/// an object of `ld -r` that holds several modules.
fn bundle(
    bench: &Workbench,
    random: &mut Choices,
    files: &mut Vec<LinkInput>,
) -> Result<(), String> {
    if files.len() < 2 || random.one_in(2) {
        return Ok(());
    }
    let others = files.split_off(2 + random.below(files.len() - 1));
    let bundled = std::mem::replace(files, others);
    let paths = bundled.into_iter().map(|file| file.path);
    let (kind, path, run) = if random.one_in(2) {
        let run = bench.llvm("llvm-ar").args(["qcs", "bundle.a"]);
        (LinkInputKind::Archive, "bundle.a", run)
    } else {
        let run = Run::new("ld", bench.path()).args(["-r", "-o", "bundle.o"]);
        (LinkInputKind::Object, "bundle.o", run)
    };
    run.args(paths).attempt()?;
    let (path, module_id) = (path.to_owned(), "bundle".to_owned());
    files.insert(0, LinkInput { path, kind, module_id });
    Ok(())
}
