//! Programs whose units nvcc compiles as well as clang.
//!
//! nvcc's objects hold machine code and LTO IR, so that nvlink links the same objects plainly and
//! with link-time optimization.

use super::build::{SMALL_HEADER, copy_sources};
use super::description::{Description, Step, stem};
use super::program::Program;
use crate::oracle::{Image, LinkInput, LinkInputKind, LinkInputs};
use crate::{ARCHITECTURE, Run, Workbench, tools};

impl Program {
    /// Returns whether nvcc compiles the program's units of clang as well.
    pub fn is_for_both(&self) -> bool {
        self.description.is_for_both
    }

    /// Compiles the units by nvcc into the bench's folder `nvcc`, and returns the inputs of the
    /// link. Patterns of symbols are left out: they are of names that clang made.
    pub fn build_by_nvcc(&self, bench: &Workbench) -> Result<LinkInputs, String> {
        let description = &self.description;
        if !description.is_for_both {
            return Err(format!("program {}: nvcc does not compile it", self.name));
        }
        copy_sources(bench, &self.folder, description)?;
        for step in &description.steps {
            compile(bench, step, description.has_small_headers)
                .map_err(|error| format!("program {}: {error}", self.name))?;
        }
        Ok(inputs(description))
    }
}

fn inputs(description: &Description) -> LinkInputs {
    let file = |clangs: &String| LinkInput {
        path: object(clangs),
        kind: LinkInputKind::Opaque,
        module_id: stem(clangs).to_owned(),
    };
    let names = |patterns: &[String]| {
        patterns.iter().filter(|pattern| !pattern.contains('*')).cloned().collect()
    };
    LinkInputs {
        files: description.link.iter().map(file).collect(),
        launched: names(&description.launched),
        touched: names(&description.touched),
        ..LinkInputs::default()
    }
}

/// Returns the path of the object that nvcc makes in place of clang's.
fn object(clangs: &str) -> String {
    format!("nvcc/{clangs}")
}

/// Runs nvcc for a unit. Levels of optimization are clang's own.
fn compile(bench: &Workbench, step: &Step, has_small_headers: bool) -> Result<(), String> {
    let output = object(&step.output);
    if let Some(folder) = bench.file(&output).parent() {
        std::fs::create_dir_all(folder).map_err(|error| format!("{output}: {error}"))?;
    }
    let number = ARCHITECTURE.trim_start_matches("sm_");
    let mut nvcc = Run::new(tools().cuda("nvcc"), bench.path()).arg("-dc");
    if !step.options.iter().any(|option| option.starts_with("-std=")) {
        nvcc = nvcc.arg("-std=c++17");
    }
    for code in [ARCHITECTURE.to_owned(), format!("lto_{number}")] {
        nvcc = nvcc.arg("-gencode").arg(format!("arch=compute_{number},code={code}"));
    }
    if has_small_headers {
        nvcc = nvcc.args(["-include", SMALL_HEADER]);
    }
    let options = step.options.iter().filter(|option| !option.starts_with("-O"));
    nvcc.args(options).args(&step.inputs).args(["-o", &output]).attempt().map(drop)
}

/// Links a program that nvcc compiled into `output`, with link-time optimization or plainly.
pub fn link_by_nvlink(
    bench: &Workbench,
    inputs: &LinkInputs,
    is_optimized: bool,
    output: &str,
) -> Result<Image, String> {
    let objects = inputs.files.iter().map(|file| &file.path);
    let root = tools().cuda_root();
    let mut nvlink = Run::new(tools().cuda("nvlink"), bench.path());
    nvlink = nvlink.arg(format!("-arch={ARCHITECTURE}")).args(["-o", output]).args(objects);
    if is_optimized {
        nvlink = nvlink.arg("-dlto").arg(format!("-nvvmpath={}", root.join("nvvm").display()));
    }
    nvlink.arg(root.join("lib/libcudadevrt.a")).attempt()?;
    Image::read(&bench.read(output)).map_err(|error| format!("{output}: {error}"))
}
