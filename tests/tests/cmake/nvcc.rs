//! nvcc's options with clang as the compiler: refused where CMake configures, wherever they are.

use dev_knobs::{NvccRow, NvccSpelling, nvcc_options};
use weft_tests::{Run, tools};

use crate::project::{Project, from_checkout};

/// Configures the project with options at a place.
fn configured(project: &Project, generator: &str, place: &str, given: &[String]) -> Run {
    let cmake = project.cmake(generator).args(from_checkout());
    cmake.arg(format!("-DPLACE={place}")).arg(format!("-DGIVEN={}", given.join(";")))
}

fn table() -> Vec<NvccRow> {
    nvcc_options().unwrap_or_else(|error| panic!("{error}"))
}

/// Returns the options that are refused, in all their forms.
fn refused() -> Vec<String> {
    let table = table();
    let rows = table.iter().filter(|row| row.remedy.is_some());
    rows.flat_map(|row| &row.spellings).flat_map(NvccSpelling::examples).collect()
}

#[test]
fn every_option_of_nvcc_is_in_the_table() {
    let help = Run::new(tools().cuda("nvcc"), "/").arg("--help").succeed().stdout;
    let mut spellings = Vec::new();
    for line in help.lines().filter(|line| line.starts_with("--")) {
        let short = line.rsplit_once('(').and_then(|(_, rest)| rest.trim().strip_suffix(')'));
        let short = short.filter(|name| name.starts_with('-') && !name.contains(' '));
        spellings.extend(line.split_whitespace().next().into_iter().chain(short));
    }
    assert!(spellings.len() > 290, "{spellings:?}");
    let table = table();
    let known = |name: &&str| {
        let mut all = table.iter().flat_map(|row| &row.spellings);
        all.any(|spelling| spelling.name == **name)
    };
    spellings.retain(|name| !known(name));
    assert!(spellings.is_empty(), "the table lacks {spellings:?}");
}

#[test]
fn clang_takes_the_options_that_are_not_refused() {
    for row in table().iter().filter(|row| row.remedy.is_none()) {
        for spelling in &row.spellings {
            let name = spelling.name.as_str();
            let mut words = vec![match spelling.form {
                "joined" => format!("{name}=c++17"),
                _ => name.to_owned(),
            }];
            match name {
                "-x" => words.push("cuda".to_owned()),
                "--stdlib" => words.push("libc++".to_owned()),
                "-std" | "--std" => words = vec![format!("{name}=c++17")],
                "-o" | "-l" | "-D" | "-U" | "-I" | "-L" | "-e" | "-include" | "-isystem"
                | "-Xlinker" | "-MF" | "-MT" | "--define-macro" | "--undefine-macro" => {
                    words.push("value".to_owned());
                }
                _ => {}
            }
            let clang = Run::new(tools().llvm("clang++"), "/").args(["-###", "-nocudalib"]);
            let clang = clang.args(["-nocudainc", "--cuda-gpu-arch=sm_90"]).args(&words);
            clang.args(["-c", "/dev/null"]).succeed();
        }
    }
}

#[test]
fn each_option_is_refused_and_the_remedy_named() {
    let project = Project::copy("tests/cmake/nvcc");
    // CMake would remove repeated words, such as a value of several options.
    let words = refused();
    let given: Vec<String> = words.iter().map(|words| format!("SHELL:{words}")).collect();
    assert!(words.len() > 400, "{}", words.len());
    let outcome = configured(&project, "Ninja", "target", &given).expect(1);
    let missing: Vec<_> = words
        .iter()
        .filter(|words| !outcome.stderr.contains(&format!("  {words} (its COMPILE_OPTIONS). In")))
        .collect();
    assert!(missing.is_empty(), "{missing:?} are not refused:\n{}", outcome.stderr);
}

#[test]
fn options_are_found_wherever_they_are() {
    let project = Project::copy("tests/cmake/nvcc");
    let given = ["-lineinfo", "-default-stream=per-thread", "--use_fast_math"].map(str::to_owned);
    for (generator, place, origin) in [
        ("Ninja", "directory", "its COMPILE_OPTIONS"),
        ("Ninja", "flags", "CMAKE_CUDA_FLAGS"),
        ("Ninja", "flags of a configuration", "CMAKE_CUDA_FLAGS_RELEASE"),
        ("Ninja", "target", "its COMPILE_OPTIONS"),
        ("Ninja", "target, for CUDA", "its COMPILE_OPTIONS"),
        ("Ninja", "target, for a configuration", "its COMPILE_OPTIONS"),
        ("Ninja", "interface", "INTERFACE_COMPILE_OPTIONS of what it links"),
        ("Ninja", "source", "COMPILE_OPTIONS of "),
        ("Ninja", "flags of a source", "COMPILE_FLAGS of "),
        ("Ninja", "link", "its LINK_OPTIONS"),
        ("Ninja", "link of a library", "INTERFACE_LINK_OPTIONS of what it links"),
        ("Ninja", "linked", "its LINK_LIBRARIES"),
        ("Ninja", "flags of the link", "CMAKE_EXE_LINKER_FLAGS"),
    ] {
        let outcome = configured(&project, generator, place, &given).expect(1);
        for option in &given {
            let says = format!("{option} ({origin}");
            assert!(outcome.stderr.contains(&says), "{place}: {}", outcome.stderr);
        }
    }
    for place in ["guarded", "clang's own", "flags of another configuration"] {
        configured(&project, "Ninja", place, &given).succeed();
    }

    // Each of several configurations counts.
    let project = Project::copy("tests/cmake/nvcc");
    for (place, origin) in [
        ("flags of another configuration", "CMAKE_CUDA_FLAGS_DEBUG"),
        ("target, for a configuration", "its COMPILE_OPTIONS"),
    ] {
        let says = format!("-lineinfo ({origin})");
        configured(&project, "Ninja Multi-Config", place, &given).expect(1).says(&[&says]);
    }
}
