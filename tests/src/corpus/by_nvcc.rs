//! Programs whose units nvcc compiles as well as clang.
//!
//! nvcc's objects hold PTX and LTO IR: the one for the plain link, the other for Weft.

use super::build::{SMALL_HEADER, copy_sources, make};
use super::description::{Description, Maker, Step, stem};
use super::program::{CALLS, Program};
use crate::oracle::{self, Failure, LinkInput, LinkInputs};
use crate::{Workbench, nvcc};

impl Program {
    /// Returns whether nvcc compiles the program's units of clang as well.
    pub fn is_for_both(&self) -> bool {
        self.description.is_for_both
    }

    /// Makes the files of the link, with the units of clang compiled by nvcc, and returns the
    /// inputs of the link. Patterns of symbols are left out: they are of names that clang made.
    pub fn build_by_nvcc(&self, bench: &Workbench) -> Result<LinkInputs, String> {
        let description = &self.description;
        if !description.is_for_both {
            return Err(format!("program {}: nvcc does not compile it", self.name));
        }
        copy_sources(bench, &self.folder, description)?;
        for (number, step) in description.steps.iter().enumerate() {
            let made = if step.maker == Maker::Clang {
                compile(bench, step, description.has_small_headers)
            } else {
                make(bench, bench.compiler(number), step, description.has_small_headers)
            };
            made.map_err(|error| format!("program {}: {error}", self.name))?;
        }
        inputs(description)
    }

    /// Compares the links of the units of nvcc: with a job for each, with one job for as many as
    /// can be in one, and with jobs that share no code.
    pub fn check_by_nvcc(&self) -> Result<(), Box<Failure>> {
        let name = format!("{} by nvcc", self.name);
        oracle::check_outcome(Workbench::new(), &name, |bench| {
            oracle::compare_with_each(
                bench,
                &self.build_by_nvcc(bench)?,
                &[&[], &["--full"], CALLS],
            )
        })
    }
}

fn inputs(description: &Description) -> Result<LinkInputs, String> {
    let file = |path: &String| {
        let module_id = stem(path).to_owned();
        Ok(LinkInput { path: path.clone(), kind: description.kind(path)?, module_id })
    };
    let files: Result<Vec<_>, String> = description.link.iter().map(file).collect();
    let names = |patterns: &[String]| {
        patterns.iter().filter(|pattern| !pattern.contains('*')).cloned().collect()
    };
    Ok(LinkInputs {
        files: files?,
        by_nvcc: true,
        thinlink: description.thinlink.clone(),
        launched: names(&description.launched),
        touched: names(&description.touched),
        removed: names(&description.removed),
        ..LinkInputs::default()
    })
}

/// Runs nvcc for a unit. Levels of optimization are clang's own.
fn compile(bench: &Workbench, step: &Step, has_small_headers: bool) -> Result<(), String> {
    let mut options: Vec<&str> = step.options.iter().map(String::as_str).collect();
    options.retain(|option| !option.starts_with("-O"));
    if has_small_headers {
        options.extend(["-include", SMALL_HEADER]);
    }
    nvcc::compile(bench, &step.inputs[0], &step.output, &options)
}
