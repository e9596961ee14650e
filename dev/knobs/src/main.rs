//! Checks the tables of all options, the page and the lists of build systems, or writes these.

use std::path::Path;
use std::process::ExitCode;

use dev_knobs::{
    BAZEL, BuildTable, CMAKE, NVCC_BAZEL, NVCC_CMAKE, NVCC_PAGE, PAGE, Table, bazel, build_options,
    cmake, definitions, knobs, missing_tests, nvcc_bazel, nvcc_cmake, nvcc_options, nvcc_page,
    page,
};
use dev_process::{Error, Result, ended, while_trying};

const USAGE: &str = "usage: dev-knobs ROOT [--write]
Checks the tables of options and the pages and lists of CMake and Bazel that are made of them in the
checkout at ROOT, or writes these.";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let outcome = match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        [root, "--write"] => run(Path::new(root), true),
        [root] if !root.starts_with('-') => run(Path::new(root), false),
        _ => Err(Error::usage(USAGE)),
    };
    ended(outcome)
}

fn run(root: &Path, writes: bool) -> Result<()> {
    let definitions = definitions();
    let table = Table::of_weft().map_err(Error::new)?;
    let (knobs, mut faults) = knobs(&definitions, &table);
    let untested = missing_tests(root, &knobs);
    let differing = knobs.iter().filter(|knob| knob.differs()).count();
    let build_table = BuildTable::of_weft().map_err(Error::new)?;
    let (for_cmake, for_bazel, wrong) = build_options(&definitions, &build_table);
    faults.extend(wrong);
    let of_nvcc = nvcc_options().map_err(Error::new)?;
    for (name, text) in [
        (PAGE, page(&knobs)),
        (CMAKE, cmake(&for_cmake)),
        (BAZEL, bazel(&for_bazel)),
        (NVCC_CMAKE, nvcc_cmake(&of_nvcc)),
        (NVCC_BAZEL, nvcc_bazel(&of_nvcc)),
        (NVCC_PAGE, nvcc_page(&of_nvcc)),
    ] {
        let path = root.join(name);
        if writes {
            std::fs::write(&path, &text).map_err(while_trying("write", &path))?;
        } else if std::fs::read_to_string(&path).map_err(while_trying("read", &path))? != text {
            faults.push(format!("{name} is out of date: `cargo xtask knobs --write` writes it"));
        }
    }
    println!("metric knobs.total {}", knobs.len());
    println!("metric knobs.untested {}", untested.len());
    println!("metric knobs.defaults_differ {differing}");
    faults.extend(untested);
    if faults.is_empty() { Ok(()) } else { Err(Error::new(faults.join("\n"))) }
}
