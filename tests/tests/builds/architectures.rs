//! Images for every architecture, and for those of one generation together.

use weft_tests::{Run, Workbench, tools};

use crate::weft_link::{MAIN, SCALED, STEP, command, image_of, weft, with_runtime, words};

/// Returns a folder with host code that calls the unit `step`, and the units' sources.
fn sources() -> Workbench {
    let bench = Workbench::new();
    bench.write("main.cpp", MAIN);
    Run::new("g++", bench.path()).args(["-c", "main.cpp", "-o", "main.o"]).succeed();
    bench.write("step.cu", STEP);
    bench.write("scaled.cu", SCALED);
    bench
}

/// Compiles a unit by nvcc to LTO IR for the architectures, given without `sm_`.
fn compile(bench: &Workbench, unit: &str, architectures: &[&str]) {
    let codes =
        architectures.iter().map(|name| format!("-gencode=arch=compute_{name},code=lto_{name}"));
    let run = command(bench, "nvcc").arg("-dc").args(codes);
    run.args([format!("{unit}.cu"), "-o".to_owned(), format!("{unit}.o")]).succeed();
}

/// Links the program and returns the architectures of its images, sorted, and what Weft said.
fn linked(bench: &Workbench) -> (Vec<String>, String) {
    let link = with_runtime("g++", &["main.o", "step.o", "scaled.o"], &["-o", "program"]);
    let said = weft(bench, &[], &words(&link)).succeed().stderr;
    let list = Run::new(tools().cuda("cuobjdump"), bench.path()).args(["-lelf", "program"]);
    let list = list.succeed().stdout;
    let architecture = |line: &str| Some(line.rsplit('.').nth(1)?.to_owned());
    let mut architectures: Vec<String> = list.lines().filter_map(architecture).collect();
    architectures.sort();
    (architectures, said)
}

#[test]
fn each_processor_of_the_toolkit_gets_an_image() {
    let list = Run::new(tools().cuda("nvcc"), "/").arg("--list-gpu-code").succeed().stdout;
    let mut names: Vec<String> =
        list.lines().map(|line| line.trim().trim_start_matches("sm_").to_owned()).collect();
    assert!(names.len() > 10, "{names:?}");
    // Architecture-specific and family-specific targets are not in the list.
    let variants = |name: &String| {
        let number: u32 = name.parse().unwrap();
        let own = (number >= 90).then(|| format!("{name}a"));
        let of_family = (number >= 100).then(|| format!("{name}f"));
        own.into_iter().chain(of_family)
    };
    names.extend(names.clone().iter().flat_map(variants));
    let bench = sources();
    let all: Vec<&str> = names.iter().map(String::as_str).collect();
    compile(&bench, "step", &all);
    compile(&bench, "scaled", &all);
    let (images, said) = linked(&bench);
    // cuobjdump does not distinguish a linked image for a family from one for its first member.
    let mut expected: Vec<String> =
        names.iter().map(|name| format!("sm_{}", name.trim_end_matches('f'))).collect();
    expected.sort();
    assert_eq!(images, expected, "{said}");
    assert!(!image_of(&bench, "program").contains("_Z6scaledi"), "a call is left");
}

/// Code for the family of an architecture, and for the one before it, is part of its image.
#[test]
fn code_that_fits_is_part_of_an_image() {
    let bench = sources();
    for (of_program, of_library) in [("103a", "100f"), ("103a", "100"), ("121a", "120f")] {
        compile(&bench, "step", &[of_program]);
        compile(&bench, "scaled", &[of_library]);
        let (images, said) = linked(&bench);
        assert_eq!(images, [format!("sm_{of_program}")], "{of_library}: {said}");
        let note = format!("note: no image for sm_{of_library}, as step.o has no code that fits");
        assert!(said.contains(&note), "{said}");
        assert!(!image_of(&bench, "program").contains("_Z6scaledi"), "{of_library}");
    }
    compile(&bench, "step", &["103"]);
    compile(&bench, "scaled", &["100a"]);
    let link = with_runtime("g++", &["main.o", "step.o", "scaled.o"], &["-o", "program"]);
    weft(&bench, &[], &words(&link)).expect(3).says(&["no LTO IR for the wanted architecture"]);
}

#[test]
fn code_of_clang_that_fits_is_part_of_an_image() {
    let bench = sources();
    bench.compile_cuda("step", &["--cuda-gpu-arch=sm_103"]);
    bench.compile_cuda("scaled", &["--cuda-gpu-arch=sm_100"]);
    let (images, said) = linked(&bench);
    assert_eq!(images, ["sm_103", "sm_90"], "{said}");
    assert!(!image_of(&bench, "program").contains("_Z6scaledi"), "a call is left");
}
