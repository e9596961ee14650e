//! Device code that is in two images of one process.

use weft_tests::{Outcome, Workbench};

use crate::weft_link::{compile_by_nvcc, weft, with_runtime, words};

const HEADER: &str = "
#pragma once
#ifdef __CUDACC__
extern __device__ int *nav_index;
__device__ int step(int i);
template <class T> __global__ void fill(T *values) { *values = step(*values); }
#endif
void set_index(int *index);
void core(int *values);
";
const NAV: &str = r#"
#include "nav.h"
__device__ int *nav_index;
__device__ int step(int i) { return nav_index[i]; }
void set_index(int *index) { cudaMemcpyToSymbol(nav_index, &index, sizeof index); }
"#;
const CORE: &str = r#"
#include "nav.h"
void core(int *values) { set_index(values); fill<<<1, 1>>>(values); }
"#;
const APP: &str = r#"
#include "nav.h"
int main() { core(nullptr); fill<<<1, 1>>>((int *)nullptr); return 0; }
"#;

/// Links the library with `options`, and the program, which both get the unit `nav`. Returns what
/// the link of the program said.
fn linked(bench: &Workbench, options: &[&str]) -> Outcome {
    let library = [&["-shared", "-o", "libcore.so"], options].concat();
    let link = with_runtime("g++", &["src/core.o", "src/nav.o"], &library);
    weft(bench, &[], &words(&link)).succeed();
    let program = ["-L.", "-lcore", "-Wl,-rpath,$ORIGIN", "-o", "app"];
    let link = with_runtime("g++", &["src/app.o", "src/nav.o"], &program);
    weft(bench, &[], &words(&link)).succeed()
}

fn units(compile: impl Fn(&Workbench, &str)) -> Workbench {
    let bench = Workbench::new();
    std::fs::create_dir(bench.file("src")).unwrap();
    bench.write("src/nav.h", HEADER);
    for (unit, text) in [("nav", NAV), ("core", CORE), ("app", APP)] {
        bench.write(&format!("src/{unit}.cu"), text);
        compile(&bench, unit);
    }
    bench
}

#[test]
fn a_variable_of_nvcc_in_two_images_is_reported() {
    let bench = units(|bench, unit| compile_by_nvcc(bench, unit, &[]));
    // nvcc hides the variable's host symbol, but not the function that sets the variable.
    linked(&bench, &[]).says(&[
        "weft: warning: app and ./libcore.so each have variable nav_index in their images, and",
    ]);
    // The library uses its own symbols.
    let alone = linked(&bench, &["-Wl,-Bsymbolic"]);
    assert!(!alone.stderr.contains("warning"), "{}", alone.stderr);
}

#[test]
fn kernels_of_clang_in_two_images_are_reported() {
    let compile = |bench: &Workbench, unit: &str, options: &[&str]| {
        bench.compile_cuda(&format!("src/{unit}"), &[&["-fPIC"], options].concat());
    };
    let bench = units(|bench, unit| compile(bench, unit, &[]));
    linked(&bench, &[]).says(&[
        "weft: warning: app and ./libcore.so each have kernel _Z4fillIiEvPT_, variable nav_index \
         in their images",
    ]);
    let hidden = ["-fvisibility=hidden"];
    let bench = units(|bench, unit| compile(bench, unit, &hidden));
    let export = "void core(int *values);";
    let exported = format!("__attribute__((visibility(\"default\"))) {export}");
    bench.write("src/nav.h", HEADER.replace(export, &exported));
    compile(&bench, "core", &hidden);
    let alone = linked(&bench, &[]);
    assert!(!alone.stderr.contains("warning"), "{}", alone.stderr);
}

#[test]
fn a_call_into_the_image_of_a_library_is_reported_with_the_remedy() {
    let bench = units(|bench, unit| compile_by_nvcc(bench, unit, &[]));
    let link = with_runtime("g++", &["src/core.o", "src/nav.o"], &["-shared", "-o", "libcore.so"]);
    weft(&bench, &[], &words(&link)).succeed();
    let link = with_runtime("g++", &["src/app.o"], &["-L.", "-lcore", "-o", "app"]);
    weft(&bench, &[], &words(&link)).expect(5).says(&[
        "undefined symbol '_Z4stepi'",
        "Device code cannot refer to that of a shared library: if libcore.so defines it, link it \
         statically",
    ]);
}
