//! Programs whose device code has no kernel and no variable of the host, and libraries of the
//! objects of others: all of them link with each linker.

use weft_tests::{Run, tools};

use crate::detected::Compilers;
use crate::project::{Project, from_checkout};

const PROGRAMS: [&str; 9] = [
    "host_only",
    "device_only",
    "empty_unit",
    "united",
    "of_library",
    "of_interface",
    "of_shared",
    "of_collected",
    "of_linked",
];

/// lld is found beside clang, which links all programs then.
fn built(generator: &str, linker: &str) {
    let host = if linker == "lld" { Compilers::ClangAlone } else { Compilers::Clang };
    let project = Project::copy("tests/cmake/no_entries");
    let flag = |kind: &str| format!("-DCMAKE_{kind}_LINKER_FLAGS=-fuse-ld={linker}");
    let flags = ["EXE", "SHARED", "MODULE"].map(flag);
    project.cmake_with(host, generator).args(from_checkout()).args(flags).succeed();
    project.build();
    for program in PROGRAMS {
        project.run(program);
    }
    for program in ["of_collected", "of_linked"] {
        let table = Run::new(tools().llvm("llvm-readelf"), project.build_folder())
            .args(["-sW".into(), project.image(program).into_os_string()])
            .succeed()
            .stdout;
        assert!(table.contains("_Z6kernelPi"), "{program}: {table}");
    }
}

#[test]
fn programs_without_entries_link_with_each_linker() {
    for linker in ["bfd", "gold", "lld"] {
        built("Ninja", linker);
    }
}

#[test]
fn programs_without_entries_are_built_by_make() {
    built("Unix Makefiles", "bfd");
}
