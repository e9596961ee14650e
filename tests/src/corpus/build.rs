//! The steps of a description, carried out in a workbench.

use std::collections::BTreeSet;
use std::path::Path;

use super::description::{Description, Maker, Step, stem};
use super::entries;
use super::folders::corpus;
use crate::oracle::{LinkInput, LinkInputs};
use crate::{ARCHITECTURE, Compiler, Run, Workbench, tools};

/// Header that replaces CUDA's headers where a program needs few of their names.
pub(super) const SMALL_HEADER: &str = "small.h";

pub(super) fn build(
    bench: &Workbench,
    folder: &Path,
    description: &Description,
) -> Result<LinkInputs, String> {
    copy_sources(bench, folder, description)?;
    let mut names = BTreeSet::new();
    for (number, step) in description.steps.iter().enumerate() {
        make(bench, bench.compiler(number), step, description.has_small_headers)?;
        if step.maker == Maker::Clang {
            names.extend(entries::names(bench, &step.output)?);
        }
    }
    let file = |path: &String| {
        let module_id = stem(path).to_owned();
        Ok(LinkInput { path: path.clone(), kind: description.kind(path)?, module_id })
    };
    let files: Result<Vec<_>, String> = description.link.iter().map(file).collect();
    Ok(LinkInputs {
        files: files?,
        by_nvcc: false,
        summarize: description.summarize.clone(),
        thinlink: description.thinlink.clone(),
        job: description.codegen.clone(),
        split: 0,
        launched: entries::resolve(&description.launched, &names)?,
        touched: entries::resolve(&description.touched, &names)?,
        removed: entries::resolve(&description.removed, &names)?,
        refused: description.refused.clone(),
    })
}

/// Copies the files of a program, and the header that it replaces CUDA's headers with.
pub(super) fn copy_sources(
    bench: &Workbench,
    folder: &Path,
    description: &Description,
) -> Result<(), String> {
    if description.has_small_headers {
        let header = corpus().join(SMALL_HEADER);
        copy(&header, &bench.file(SMALL_HEADER))?;
    }
    let entries = std::fs::read_dir(folder)
        .map_err(|error| format!("cannot read {}: {error}", folder.display()))?;
    for path in entries.flatten().map(|entry| entry.path()) {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        copy(&path, &bench.file(&name))?;
    }
    Ok(())
}

fn copy(from: &Path, to: &Path) -> Result<(), String> {
    std::fs::copy(from, to)
        .map(drop)
        .map_err(|error| format!("cannot copy {} to {}: {error}", from.display(), to.display()))
}

pub(super) fn make(
    bench: &Workbench,
    compiler: Compiler,
    step: &Step,
    has_small_headers: bool,
) -> Result<(), String> {
    let cuda = || cuda(bench, compiler, has_small_headers);
    // Members of one archive may share a name, in which case they lie in different folders.
    if let Some(folder) = bench.file(&step.output).parent() {
        std::fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", step.output))?;
    }
    let run = match step.maker {
        Maker::Library => {
            let library = tools().cuda_root().join("lib").join(&step.output);
            return copy(&library, &bench.file(&step.output));
        }
        Maker::Archive => bench.llvm("llvm-ar").args(["qcs", &step.output]).args(&step.inputs),
        Maker::Relocatable => {
            Run::new("ld", bench.path()).args(["-r", "-o", &step.output]).args(&step.inputs)
        }
        Maker::Host => with_files(bench.llvm("clang++").args(["-O2", "-std=c++17", "-c"]), step),
        Maker::Gcc => {
            let gcc = Run::new("g++", bench.path());
            with_files(gcc.args(["-O2", "-std=c++17", "-c"]), step)
        }
        Maker::Nvcc => {
            let nvcc = Run::new(tools().cuda("nvcc"), bench.path());
            with_files(nvcc.arg(format!("-arch={ARCHITECTURE}")).arg("-std=c++17"), step)
        }
        Maker::Bitcode => {
            let device = ["--cuda-device-only", "-emit-llvm"];
            with_files(cuda().args(device), step)
        }
        Maker::Clang => {
            let clang = cuda()
                .args(["--offload-new-driver", "-foffload-lto"])
                .args(["-Xarch_device", "-fwhole-program-vtables"])
                .args(compiler.naming(stem(&step.output)));
            with_files(clang, step)
        }
        Maker::Cubin => {
            let clang = cuda().arg("--cuda-device-only").args(compiler.naming(stem(&step.output)));
            with_files(clang, step)
        }
    };
    run.attempt().map(drop)
}

/// Returns clang's command for a CUDA unit with relocatable device code.
fn cuda(bench: &Workbench, compiler: Compiler, has_small_headers: bool) -> Run {
    let root = compiler.cuda_root().display();
    let (program, words) = compiler.clang_cxx();
    let clang = Run::new(program, bench.path())
        .args(words)
        .arg(format!("--cuda-gpu-arch={ARCHITECTURE}"))
        .arg(format!("--cuda-path={root}"))
        .args(["-fgpu-rdc", "-O2", "-std=c++17", "-Wno-unknown-cuda-version", "-c"]);
    if has_small_headers {
        clang.args(["-nocudainc", "-nocudalib", "-include", SMALL_HEADER])
    } else {
        clang.arg(format!("-I{root}/include/cccl"))
    }
}

/// Adds the options and the files of a step. The options follow the defaults, so that they override
/// them.
fn with_files(run: Run, step: &Step) -> Run {
    run.args(&step.options).args(&step.inputs).args(["-o", &step.output])
}
