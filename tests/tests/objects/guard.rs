//! `weft guard` on programs that are linked by hand, in every way that moves the offload
//! entries to another place.

use weft_tests::{ARCHITECTURE, Outcome, Run, Workbench, tools};

/// Kernels and variables of both linkages, including one of each that nothing refers to.
const MAIN: &str = r"
#include <cstdio>
__device__ int changed = 3;
__constant__ float table[4] = {1, 2, 3, 4};
__device__ int idle;
__global__ void main_kernel(int *p) { *p = changed + (int)table[*p & 3]; }
__global__ void removed_kernel(int *p) { *p = 5; }
namespace { __global__ void local_kernel(int *p) { *p = 4; } }
template <class T> __global__ void instance(T *p) { *p = T(1); }
int library();
int main() {
  int value = 1;
  cudaMemcpyToSymbol(changed, &value, sizeof(value));
  cudaMemcpyToSymbol(table, &value, sizeof(value));
  main_kernel<<<1, 1>>>(nullptr);
  local_kernel<<<1, 1>>>(nullptr);
  instance<float><<<1, 1>>>(nullptr);
  return library();
}
";

const LIBRARY: &str = r"
__device__ int library_variable;
__global__ void library_kernel(int *p) { *p = library_variable; }
int library() {
  int value = 1;
  cudaMemcpyToSymbol(library_variable, &value, sizeof(value));
  library_kernel<<<1, 1>>>(nullptr);
  return 0;
}
";

/// A unit that no other unit of the program refers to.
const UNUSED: &str = r"
__global__ void unused_kernel(int *p) { *p = 6; }
void unused() { unused_kernel<<<1, 1>>>(nullptr); }
";

/// Returns a bench with the units, the image of some of them and the object that registers the
/// image.
fn bench(linked: &[&str]) -> Workbench {
    let bench = Workbench::new();
    bench.write("main.cu", MAIN);
    bench.write("library.cu", LIBRARY);
    bench.write("unused.cu", UNUSED);
    for unit in ["main", "library", "unused"] {
        bench.compile(unit);
    }
    for unit in linked {
        bench.summarize(unit);
    }
    bench.thinlink(linked, &[]);
    for unit in linked {
        bench.import(unit, linked).succeed();
        bench.codegen(unit).succeed();
        bench.assemble(unit).succeed();
    }
    image(&bench, linked);
    register(&bench, &["--image3=kind=elf,sm=90,file=image.cubin"]);
    bench
}

fn image(bench: &Workbench, units: &[&str]) {
    let cubins = units.iter().map(|unit| format!("{unit}.cubin"));
    let nvlink = Run::new(tools().cuda("nvlink"), bench.path());
    nvlink.arg(format!("-arch={ARCHITECTURE}")).args(cubins).args(["-o", "image.cubin"]).succeed();
}

/// Makes `registration.o` from images.
fn register(bench: &Workbench, images: &[&str]) {
    let fatbinary = Run::new(tools().cuda("fatbinary"), bench.path());
    fatbinary.args(["--create=image.fatbin", "-64"]).args(images.iter().copied()).succeed();
    let register = bench.weft("weft").args(["register", "image.fatbin"]);
    register.args(["-o", "registration.c"]).succeed();
    let compiler = bench.llvm("clang").args(["-O3", "-fPIC", "-Wall", "-Werror"]);
    compiler.args(["-c", "registration.c", "-o", "registration.o"]).succeed();
}

/// Links some objects to `program`, and writes the names of the files that the linker read to
/// `program.d`.
fn link(bench: &Workbench, objects: &[&str], options: &[&str]) {
    let cuda = tools().cuda_root().display();
    bench
        .llvm("clang++")
        .args(objects.iter().copied())
        .args(["-o", "program", "-Wl,--dependency-file=program.d", &format!("-L{cuda}/lib")])
        .args(["-lcudart_static", "-ldl", "-lrt", "-lpthread"])
        .args(options.iter().copied())
        .succeed();
}

const OBJECTS: [&str; 3] = ["main.o", "library.o", "registration.o"];

fn guard(bench: &Workbench, arguments: &[&str]) -> Run {
    bench.weft("weft").args(["guard", "program"]).args(arguments.iter().copied())
}

const MANIFEST: [&str; 2] = ["--manifest", "plans/manifest.json"];

fn with_manifest(bench: &Workbench, arguments: &[&str]) -> Run {
    guard(bench, arguments).args(MANIFEST).args(["--dependency-file", "program.d"])
}

fn refused(run: &Run, says: &[&str]) -> Outcome {
    let outcome = run.expect(3);
    outcome.says(says);
    outcome
}

/// Compiles a unit as position-independent code, for shared libraries.
fn position_independent(bench: &Workbench, unit: &str) {
    let cuda = tools().cuda_root().display();
    bench
        .llvm("clang++")
        .args([format!("--cuda-gpu-arch={ARCHITECTURE}"), format!("--cuda-path={cuda}")])
        .args(["-fgpu-rdc", "-O3", "--offload-new-driver", "-foffload-lto", "-fPIC"])
        .args(["-Wno-unknown-cuda-version", "-c"])
        .args([format!("-cuid={unit}"), format!("{unit}.cu")])
        .args(["-o".to_owned(), format!("{unit}.o")])
        .succeed();
}

#[test]
fn a_whole_program_passes_however_it_is_linked() {
    let bench = bench(&["main", "library"]);
    let lld = format!("--ld-path={}", tools().llvm("ld.lld").display());
    let ways: [&[&str]; 8] = [
        &["-pie"],
        &["-no-pie"],
        &["-static-pie"],
        &["-Wl,--gc-sections", "-Wl,--emit-relocs"],
        &["-pie", &lld],
        &["-pie", &lld, "-Wl,--pack-dyn-relocs=relr", "-Wl,-z,rela"],
        &["-no-pie", &lld, "-s"],
        &["-shared"],
    ];
    for way in ways {
        if way.contains(&"-shared") {
            for unit in ["main", "library"] {
                position_independent(&bench, unit);
            }
        }
        link(&bench, &OBJECTS, way);
        with_manifest(&bench, &[]).succeed();
        with_manifest(&bench, &["--image", "image.fatbin"]).succeed();
        guard(&bench, &OBJECTS).args(MANIFEST).args(["--image", "image.cubin"]).succeed();
        let says = [
            "kernel _Z14removed_kernelPi is not in the image for sm_90",
            "variable idle is not in the image for sm_90",
        ];
        let outcome = refused(&guard(&bench, &[]), &says);
        assert_eq!(outcome.stderr.matches(" is not in ").count(), 2, "{way:?}: {}", outcome.stderr);
    }
    bench.llvm("llvm-strip").args(["--strip-sections", "program"]).succeed();
    refused(
        &with_manifest(&bench, &[]),
        &["program: it has no table of sections, so what it registers cannot be found"],
    );
}

#[test]
fn missing_symbols_are_named_with_the_file_that_registers_them() {
    let bench = bench(&["main"]);
    bench.llvm("llvm-ar").args(["qc", "libparts.a", "library.o", "unused.o"]).succeed();
    link(&bench, &["main.o", "libparts.a", "registration.o"], &[]);
    let outcome = refused(
        &with_manifest(&bench, &[]),
        &[
            "program: not all device code that its host code registers is in it",
            "kernel _Z14library_kernelPi is not in the image for sm_90",
            "variable library_variable is not in the image for sm_90",
            "registered by libparts.a(library.o), whose device code for sm_90 was not linked",
            "Give each unit to summarize",
        ],
    );
    // The linker left this member out, so it is never registered with the runtime.
    assert!(!outcome.stderr.contains("unused"), "{}", outcome.stderr);
    assert!(!outcome.stderr.contains("removed_kernel"), "{}", outcome.stderr);
    for (system, says) in
        [("cmake", "weft_device_thinlto is called on"), ("bazel", "weft_cuda_library")]
    {
        refused(&with_manifest(&bench, &["--advice-for", system]), &[says]);
    }
    link(&bench, &["main.o", "library.o", "unused.o", "registration.o"], &[]);
    refused(&with_manifest(&bench, &[]), &["kernel _Z13unused_kernelPi", "by unused.o, whose"]);
}

#[test]
fn many_faults_are_counted() {
    let bench = bench(&["main"]);
    let kernel = |k| format!("__global__ void k{k}(int *p) {{ *p = {k}; }}\n");
    let kernels = (0..30).map(kernel).collect::<Vec<_>>().concat();
    bench.write("library.cu", format!("{kernels}int library() {{ return 0; }}\n"));
    bench.compile("library");
    link(&bench, &OBJECTS, &[]);
    let outcome = refused(&with_manifest(&bench, &[]), &["and 20 more"]);
    assert_eq!(outcome.stderr.matches(" is not in ").count(), 10, "{}", outcome.stderr);
}

/// The manifest states that nothing refers to the kernel, which is true of another program.
#[test]
fn a_removed_kernel_that_a_file_of_the_link_refers_to_is_missed() {
    let bench = bench(&["main", "library"]);
    let uses = [
        "void __device_stub__removed_kernel(int *);\n\
         void *stored = (void *)__device_stub__removed_kernel;\n",
        "void __device_stub__removed_kernel(int *);\n\
         void use() { __device_stub__removed_kernel(nullptr); }\n",
    ];
    for text in uses {
        bench.write("plugin.cpp", text);
        bench.llvm("clang++").args(["-c", "plugin.cpp", "-o", "plugin.o"]).succeed();
        link(&bench, &["main.o", "library.o", "plugin.o", "registration.o"], &[]);
        let says =
            "kernel _Z14removed_kernelPi was removed as nothing refers to it, but plugin.o may";
        refused(&with_manifest(&bench, &[]), &[says, "thinlink --keep=SYMBOL"]);
    }
    // The shared library needs the kernel from the program.
    bench.llvm("clang++").args(["-shared", "-fPIC", "plugin.cpp", "-o", "libplugin.so"]).succeed();
    link(&bench, &["main.o", "library.o", "./libplugin.so", "registration.o"], &[]);
    refused(&with_manifest(&bench, &[]), &["_Z14removed_kernelPi", "libplugin.so may"]);

    link(&bench, &OBJECTS, &[]);
    let says = "without the files of the host link nothing tells whether one of them refers to it";
    let count = "2 kernels and variables are registered and removed";
    refused(&guard(&bench, &MANIFEST), &[count, says]);
    let elsewhere = with_manifest(&bench, &["--dependency-file", "nowhere.d"]);
    elsewhere.succeed();
    guard(&bench, &["--dependency-file", "nowhere.d"])
        .expect(4)
        .says(&["cannot read nowhere.d: the host linker did not write it"]);
}

#[test]
fn a_manifest_of_another_link_is_refused() {
    let bench = bench(&["main", "library"]);
    link(&bench, &OBJECTS, &[]);
    let manifest = String::from_utf8(bench.read("plans/manifest.json")).unwrap();
    let kernel = "_Z14library_kernelPi";
    bench.write("other.json", manifest.replace("_Z14removed_kernelPi", kernel));
    let run = guard(&bench, &["--manifest", "other.json", "--dependency-file", "program.d"]);
    let says = format!("other.json says that kernel {kernel} was removed, and the image has it");
    refused(&run, &[&says, "kernel _Z14removed_kernelPi is not in the image"]);
    // A manifest for another architecture explains no missing kernel.
    bench.write("other.json", manifest.replace("sm_90", "sm_80"));
    refused(&run, &["kernel _Z14removed_kernelPi is not in the image"]);
    bench.write("other.json", manifest.replace("\"version\": 3", "\"version\": 1"));
    refused(&run, &["other.json: a manifest of version 1"]);
}

#[test]
fn every_image_has_to_have_every_entry() {
    let bench = bench(&["main", "library"]);
    // To the driver, the PTX of one unit is a whole program.
    register(
        &bench,
        &["--image3=kind=elf,sm=90,file=image.cubin", "--image3=kind=ptx,sm=80,file=main.ptx"],
    );
    link(&bench, &OBJECTS, &[]);
    let outcome = refused(
        &with_manifest(&bench, &[]),
        &["kernel _Z14library_kernelPi is not in the image for sm_80"],
    );
    assert!(!outcome.stderr.contains("main_kernel"), "{}", outcome.stderr);
    assert!(!outcome.stderr.contains("instance"), "{}", outcome.stderr);

    link(&bench, &["main.o", "library.o"], &[]);
    let says = "kernel _Z11main_kernelPi is not in a device image: there is none";
    refused(&with_manifest(&bench, &[]), &[says, "registered by main.o", "weft register"]);
    link(&bench, &OBJECTS, &[]);
    let says = "it does not hold the image for sm_90 that is in main.cubin";
    refused(&with_manifest(&bench, &["--image", "main.cubin"]), &[says]);
}

#[test]
fn only_a_right_program_is_left() {
    let bench = bench(&["main", "library"]);
    link(&bench, &OBJECTS, &[]);
    with_manifest(&bench, &["--remove", "-o", "checked"]).succeed();
    assert!(bench.read("checked") == bench.read("program"));
    Run::new(bench.file("checked"), bench.path()).succeed();
    bench.remove("checked");
    refused(&guard(&bench, &["--remove", "-o", "checked"]), &["removed_kernel"]);
    assert!(!bench.file("checked").exists() && !bench.file("program").exists());
    guard(&bench, &["--remove"]).expect(4).says(&["cannot read program"]);
    bench.write("program", bench.read("main.o"));
    refused(&guard(&bench, &[]), &["program: no linked program and no shared library"]);
    // A program without device code needs no image.
    bench.write("plain.c", "int main(void) { return 0; }\n");
    bench.llvm("clang").args(["plain.c", "-o", "program"]).succeed();
    guard(&bench, &[]).succeed();
}
