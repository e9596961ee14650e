//! Libraries that one project installs and another one finds, with device code across the border.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use tempfile::TempDir;
use weft_tests::{Run, tools};

use crate::detected::Compilers;
use crate::project::{Project, from_checkout, units};

/// Kernels that the program launches: its own, and those of the package.
const KERNELS: [&str; 6] = [
    "_Z10own_kernelPf",
    "_Z11fill_kernelPf",
    "_Z11main_kernelPi",
    "_Z13detail_kernelPf",
    "_Z14package_kernelPi",
    "_Z15portable_kernelPi",
];

/// The package's function, which divides in another way than the program and so is called.
const OF_ANOTHER_ARITHMETIC: [&str; 1] = ["_Z4areaf"];

/// Units of the program, one for each member of an archive of the package.
const JOBS: [&str; 6] = [
    "external/libportable.a/portable.cpp.o",
    "external/libshapes.a/area.cu.o",
    "external/libshapes.a/area.cu.o~2",
    "external/libshapes.a/main.cu.o",
    "main.cpp",
    "main.cu",
];

/// Installs the package and moves the installation to `prefix`, which does not exist yet.
fn install_and_move(package: &Project, prefix: &Path) {
    let first = prefix.with_extension("first");
    Run::new("cmake", package.build_folder())
        .args(["--install".as_ref(), ".".as_ref(), "--prefix".as_ref(), first.as_os_str()])
        .succeed();
    fs::rename(first, prefix).expect("the installation is moved");
}

/// Returns the names of functions in the program's image.
fn functions(project: &Project) -> Vec<String> {
    let table = Run::new(tools().llvm("llvm-readelf"), project.build_folder())
        .args(["-sW".into(), project.image("program").into_os_string()])
        .succeed()
        .stdout;
    let lines = table.lines().filter(|line| line.contains(" FUNC ") && !line.contains(" UND "));
    let mut names: Vec<_> =
        lines.filter_map(|line| line.split_whitespace().last()).map(str::to_owned).collect();
    names.sort();
    names
}

#[test]
fn an_installed_library_is_optimized_with_the_program_that_finds_it() {
    install_and_find(Compilers::ClangAlone);
}

/// Units of nvcc and of clang are in one program, and in packages.
#[test]
fn a_library_of_nvcc_and_one_of_clang_are_optimized_with_the_program_that_finds_them() {
    install_and_find(Compilers::NvccAndClang);
}

fn install_and_find(compilers: Compilers) {
    let folder = TempDir::with_prefix("weft-package-").expect("a folder");
    let prefix = folder.path().join("moved prefix");
    let package = Project::copy("tests/cmake/installed/package");
    package.cmake_with(compilers, "Ninja").args(from_checkout()).succeed();
    let steps = package.build();
    // Two programs link the library, and its units are summarized once.
    let summarized = units(&steps, "summarize");
    let is_device_unit = |unit: &&&str| Path::new(unit).extension().is_some_and(|end| end == "cu");
    let of_library: Vec<_> = summarized.iter().filter(is_device_unit).collect();
    assert_eq!(of_library, [&"area.cu", &"detail/area.cu", &"main.cu"], "{steps:?}");
    assert_eq!(units(&steps, "thinlink"), ["program1", "program2"], "{steps:?}");
    // An option of the second program keeps what the first one drops.
    let removed: [(&str, &[&str]); 2] = [("program1", &["_Z13unused_kernelPi"]), ("program2", &[])];
    for (program, kernels) in removed {
        package.run(program);
        assert_eq!(package.removed_kernels(program), kernels, "{program}");
    }
    assert_eq!(package.build(), BTreeMap::new(), "nothing changed, and something was done");
    install_and_move(&package, &prefix);
    drop(package);

    let found = format!("-DCMAKE_PREFIX_PATH={}", prefix.display());
    for generator in ["Ninja", "Unix Makefiles"] {
        let program = Project::copy("tests/cmake/installed/program");
        let cmake = || program.cmake_with(compilers, generator);
        let configure = || cmake().args(from_checkout()).arg(found.clone());
        let messages = configure().succeed().stdout;
        assert!(!messages.contains("keeps kernels"), "{messages}");
        let steps = program.build();
        assert_eq!(units(&steps, "codegen"), JOBS, "{generator}: {steps:?}");
        program.run("program");
        let found = functions(&program);
        let others: Vec<_> =
            found.iter().filter(|name| !KERNELS.contains(&name.as_str())).collect();
        assert_eq!(found.len() - others.len(), KERNELS.len(), "{generator}: {found:?}");
        let by_clang = compilers == Compilers::ClangAlone;
        let expected: &[&str] = if by_clang { &[] } else { &OF_ANOTHER_ARITHMETIC };
        assert_eq!(others, expected, "{generator}: all else is inlined");
        assert_eq!(program.removed_kernels("program"), ["_Z13unused_kernelPi"], "{generator}");
        let report = fs::read_to_string(program.output("report.txt")).expect("a report");
        let imports = [
            "imports 1 definition from external/libportable.a/portable.cpp.o",
            "imports 1 definition from external/libshapes.a/area.cu.o~2",
        ];
        for text in &imports[..if by_clang { 2 } else { 1 }] {
            assert!(report.contains(text), "{generator}: {text:?} is not in {report}");
        }
        assert_eq!(program.build(), BTreeMap::new(), "{generator}: nothing changed");

        // The library was compiled for one architecture.
        let other = configure().arg("-DCMAKE_CUDA_ARCHITECTURES=80").expect(1).stderr;
        let other = other.split_whitespace().collect::<Vec<_>>().join(" ");
        let says = "of 'package::shapes', which it links, holds device code for sm_90 only. Build \
                    both for the same architectures.";
        assert!(other.contains(says), "{other}");
    }
}
