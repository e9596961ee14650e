//! The build of a program as one module by clang and ptxas: the best build that is possible with a
//! library's device bitcode, which nvcc cannot link.
//!
//! Units are compiled to bitcode. One clang links them with the needed part of the library, whose
//! functions become local, as `-mlink-builtin-bitcode` does, and optimizes everything. ptxas
//! assembles the whole program, so that it may copy functions and choose their calling conventions.
//! There is an image, but no program to run.

use crate::ninja_file::{Edge, NinjaFile};
use crate::settings::Settings;
use crate::statements::compile;
use crate::units::Units;
use crate::variant::{ARCHITECTURE, Tools};

const RULES: &str = include_str!("rules/whole.ninja");

/// The device image.
pub(super) const IMAGE: &str = "image.cubin";

/// Writes all statements of this build.
pub(super) fn write(file: &mut NinjaFile, units: &Units, tools: &Tools, settings: &Settings) {
    let toolchain = &tools.toolchain;
    for (name, path) in [
        ("clang", &toolchain.clang),
        ("clang_cxx", &toolchain.clang_cxx),
        ("ptxas", &toolchain.ptxas),
    ] {
        file.variable_path(name, path);
    }
    file.variable("architecture", ARCHITECTURE);
    file.variable("compile_options", &settings.compile_options.join(" "));
    file.rules(RULES);
    let objects = compile(file, "compile", &units.cuda);
    let [ptx, image] = ["image.ptx", IMAGE].map(|name| vec![file.path(name)]);
    if let Some((first, others)) = objects.split_first() {
        let linked = links("-mlink-bitcode-file", others);
        let libraries = links("-mlink-builtin-bitcode", &units.bitcode);
        file.edge(&Edge {
            rule: "compile-whole",
            outputs: ptx.clone(),
            inputs: vec![first.clone()],
            implicit: [others, &units.bitcode].concat(),
            variables: vec![("linked", linked + &libraries)],
            ..Edge::default()
        });
    }
    let outputs = image.clone();
    file.edge(&Edge { rule: "assemble", outputs, inputs: ptx, ..Edge::default() });
    file.phony("objects", objects);
    file.phony("image", image);
}

/// Returns an option of clang's compiler proper for each file.
fn links(option: &str, files: &[String]) -> String {
    files.iter().flat_map(|file| [" -Xclang ", option, " -Xclang ", file.as_str()]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_comes_with_its_option() {
        let files = ["a.bc", "b.bc"].map(str::to_owned);
        assert_eq!(links("-l", &files), " -Xclang -l -Xclang a.bc -Xclang -l -Xclang b.bc");
        assert_eq!(links("-l", &[]), "");
    }
}
