//! Random programs whose units nvcc compiles: linked plainly from its PTX, and through Weft from
//! its LTO IR.

use std::path::Path;

use dev_programs::random::Program;
use dev_random::Choices;

use super::random::outcome;
use crate::oracle::{Failure, LinkInput, LinkInputKind, LinkInputs, check_outcome, compare};
use crate::{Workbench, nvcc};

/// Options of nvcc for random programs.
const NVCC: [&str; 1] = ["-fmad=false"];

/// Options of the thin link, of which the seed determines one.
const THINLINK: [&[&str]; 6] =
    [&[], &[], &["--copy-limit=0"], &["--copy-limit=60"], &["--full"], &["--pack=300"]];

/// Compares the links of the program of `seed` with units of nvcc, and what the program computes
/// from the PTX of both.
pub fn check_random_by_nvcc(seed: u64) -> Result<(), Box<Failure>> {
    let program = Program::generate(seed);
    check_outcome(Workbench::new(), &format!("program {seed} by nvcc"), |bench| {
        let mut inputs = inputs_by_nvcc(bench, &program)?;
        let thinlink = *Choices::new(!seed).pick(&THINLINK);
        inputs.thinlink = thinlink.iter().map(|&option| option.to_owned()).collect();
        let found = compare(bench, &inputs)?;
        let [plainly, through_weft] =
            ["plain", "weft"].map(|folder| outcome(&program, &texts(bench, folder)));
        let (plainly, through_weft) = (plainly?, through_weft?);
        if plainly == through_weft {
            return Ok(found);
        }
        Err(format!("plainly it prints\n{plainly}\nand through Weft\n{through_weft}"))
    })
}

/// Compiles the units of a program by nvcc, and returns the inputs of its link.
fn inputs_by_nvcc(bench: &Workbench, program: &Program) -> Result<LinkInputs, String> {
    for (unit, name) in program.names().into_iter().enumerate() {
        let (source, object) = (format!("{name}.cu"), format!("{name}.o"));
        bench.write(&source, program.text_for_nvcc_with_host(unit));
        nvcc::compile(bench, &source, &object, &NVCC)?;
    }
    let file = |name: &str| {
        let (path, module_id) = (format!("{name}.o"), name.to_owned());
        LinkInput { path, kind: LinkInputKind::Object, module_id }
    };
    Ok(LinkInputs {
        files: program.link_order().into_iter().map(file).collect(),
        by_nvcc: true,
        launched: program.launches.iter().map(|launch| launch.kernel.clone()).collect(),
        touched: program.host_arrays.iter().map(|array| array.name.clone()).collect(),
        ..LinkInputs::default()
    })
}

/// Returns the PTX that a link left in a folder, each text with the name of its file.
fn texts(bench: &Workbench, folder: &str) -> Vec<(String, String)> {
    let entries = std::fs::read_dir(bench.file(folder)).into_iter().flatten().flatten();
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    let mut files: Vec<_> = names
        .filter(|name| Path::new(name).extension().is_some_and(|extension| extension == "ptx"))
        .map(|name| {
            let path = format!("{folder}/{name}");
            let text = String::from_utf8_lossy(&bench.read(&path)).into_owned();
            (path, text)
        })
        .collect();
    files.sort();
    files
}
