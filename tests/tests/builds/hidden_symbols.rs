//! Shared libraries whose link hides symbols that their objects export: kernels that nobody else
//! can launch then, and that the library does not launch, go.

use weft_tests::{Run, Workbench};

use crate::weft_link::{compile_by_nvcc, image_of, units_of_nvcc, weft, with_runtime, words};

/// Compiles the unit with the kernels so that their host symbols are exported.
type Compile = fn(&Workbench);

const COMPILERS: [(&str, Compile); 2] = [
    ("clang", |bench| bench.compile_cuda("src/step", &["-fPIC"])),
    ("nvcc", |bench| {
        compile_by_nvcc(bench, "step", &["--device-entity-has-hidden-visibility=false"]);
    }),
];

/// Links `files` with `options`, and returns whether the kernel that nothing launches stays. The
/// image always has the one that is launched.
fn keeps(bench: &Workbench, files: &[&str], options: &[&str]) -> bool {
    let options = [&["-shared", "-o", "step.so"], options].concat();
    let said = weft(bench, &[], &words(&with_runtime("g++", files, &options))).succeed();
    assert_eq!(said.stderr.contains("note: "), options.iter().any(|o| o.contains("odd.map")));
    let image = image_of(bench, "step.so");
    assert!(image.contains("_Z7advancePi") && image.contains("limit"), "{image}");
    // The linker and Weft agree about what it hides.
    let exported = bench.llvm("llvm-nm").args(["-D", "--defined-only", "step.so"]).succeed().stdout;
    let keeps = image.contains("_Z9forgottenPi");
    assert_eq!(exported.contains("forgotten"), keeps, "{options:?}: {exported}");
    keeps
}

#[test]
fn what_a_version_script_hides_goes() {
    let bench = units_of_nvcc();
    for (name, script) in [
        ("api.map", "{ global: _Z4stepPi; local: *; };\n"),
        ("cpp.map", "V1 {\n  global: extern \"C++\" { step*; set_limit*; };\n  local: *;\n};\n"),
        ("kernels.map", "{ global: _Z4stepPi; *forgotten*; local: *; };\n"),
        ("all.map", "V1 { global: _Z4stepPi; };\n"),
        ("local.map", "V1 { global: _Z4stepPi; local: *; };\n"),
        ("stubs.map", "V2 { global: *forgotten*; };\n"),
        ("odd.map", "{ local: other**name; };\n"),
    ] {
        bench.write(name, script);
    }
    let files = ["src/step.o", "src/scaled.o"];
    for (compiler, compile) in COMPILERS {
        compile(&bench);
        for (options, expected) in [
            (&["-Wl,--version-script=api.map"][..], false),
            (&["-Wl,--version-script,cpp.map"], false),
            (&["-Xlinker", "--version-script", "-Xlinker", "kernels.map"], true),
            (&["-Wl,--version-script=all.map"], true),
            (&["-Wl,--version-script=odd.map"], true),
            (&["-Wl,--version-script=local.map,--version-script=stubs.map"], true),
            (&["-Wl,--version-script=local.map"], false),
            (&[], true),
        ] {
            assert_eq!(keeps(&bench, &files, options), expected, "{compiler}: {options:?}");
        }
    }
}

#[test]
fn what_comes_from_hidden_archives_goes() {
    let bench = units_of_nvcc();
    bench.write("api.cpp", "void step(int *);\nvoid api(int *p) { step(p); }\n");
    Run::new("g++", bench.path()).args(["-c", "-fPIC", "api.cpp", "-o", "api.o"]).succeed();
    for (compiler, compile) in COMPILERS {
        compile(&bench);
        let members = ["src/step.o", "src/scaled.o"];
        bench.llvm("llvm-ar").args(["rcs", "libstep.a"]).args(members).succeed();
        for (options, expected) in [
            (&["-Wl,--exclude-libs,ALL"][..], false),
            (&["-Wl,--exclude-libs=libother.a:libstep.a"], false),
            (&["-Wl,--exclude-libs,libother.a"], true),
            (&[], true),
        ] {
            let keeps = keeps(&bench, &["api.o", "libstep.a"], options);
            assert_eq!(keeps, expected, "{compiler}: {options:?}");
        }
    }
}
