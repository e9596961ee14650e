//! Units of nvcc's relocatable device code, whose host code waits for a registration of the image,
//! and units of each form of clang's entries.
//!
//! The programs are linked with a wrapper around each registration function of the runtime, which
//! prints the call and forwards it. So the tests need no GPU.

use weft_tests::{ARCHITECTURE, Compiler, Run, Workbench, tools};

const MAIN: &str = "
__device__ int vendor_get(int);
void vendor_init(int);
__global__ void of_clang(int *p) { *p = vendor_get(*p); }
int main() { vendor_init(3); of_clang<<<1, 1>>>(nullptr); return 0; }
";
const VENDOR: &str = "
__device__ int vendor_state;
__device__ int vendor_get(int i) { return vendor_state + i; }
__global__ void of_vendor(int v) { vendor_state = v; }
void more(int);
void vendor_init(int v) {
  of_vendor<<<1, 1>>>(v);
  cudaMemcpyToSymbol(vendor_state, &v, sizeof v);
  more(v);
}
";
const MORE: &str = "
namespace { __global__ void of_more(int v) {} }
void more(int v) { of_more<<<1, 1>>>(v); }
";
/// A unit of the archive that the host linker leaves out.
const UNUSED: &str = "
__global__ void of_unused(int v) {}
void unused(int v) { of_unused<<<1, 1>>>(v); }
";
/// Prints and forwards the registration calls.
const SPY: &str = r#"
#include <stdio.h>
typedef void **handle;
handle __real___cudaRegisterFatBinary(void *);
handle __wrap___cudaRegisterFatBinary(void *binary) {
  puts("begin");
  return __real___cudaRegisterFatBinary(binary);
}
void __real___cudaRegisterFatBinaryEnd(handle);
void __wrap___cudaRegisterFatBinaryEnd(handle image) {
  puts("end");
  __real___cudaRegisterFatBinaryEnd(image);
}
int __real___cudaRegisterFunction(handle, const void *, char *, const char *, int, void *, void *,
                                  void *, void *, int *);
int __wrap___cudaRegisterFunction(handle image, const void *host, char *name, const char *device,
                                  int limit, void *t, void *b, void *bd, void *gd, int *w) {
  printf("kernel %s\n", device);
  return __real___cudaRegisterFunction(image, host, name, device, limit, t, b, bd, gd, w);
}
void __real___cudaRegisterVar(handle, char *, char *, const char *, int, size_t, int, int);
void __wrap___cudaRegisterVar(handle image, char *host, char *name, const char *device, int ext,
                              size_t size, int constant, int global) {
  printf("variable %s\n", device);
  __real___cudaRegisterVar(image, host, name, device, ext, size, constant, global);
}
"#;

fn nvcc(bench: &Workbench, unit: &str) {
    let nvcc = Run::new(tools().cuda("nvcc"), bench.path());
    nvcc.arg(format!("-arch={ARCHITECTURE}"))
        .args(["-dc", "-Xcompiler", "-fPIC", &format!("{unit}.cu"), "-o", &format!("{unit}.o")])
        .succeed();
}

/// A folder with the compiled units, of which all but the first are nvcc's.
fn bench() -> Workbench {
    let bench = Workbench::new();
    for (unit, text) in [("main", MAIN), ("vendor", VENDOR), ("more", MORE), ("unused", UNUSED)] {
        bench.write(&format!("{unit}.cu"), text);
    }
    bench.compile("main");
    for unit in ["vendor", "more", "unused"] {
        nvcc(&bench, unit);
    }
    bench.llvm("llvm-ar").args(["rcs", "libvendor.a", "more.o", "unused.o"]).succeed();
    bench.write("spy.c", SPY);
    bench.llvm("clang").args(["-c", "-fPIC", "spy.c", "-o", "spy.o"]).succeed();
    bench
}

/// Makes `registration.o` of the image that nvlink links from `files`, for the units in `objects`.
fn register(bench: &Workbench, files: &[&str], objects: &[&str]) {
    let nvlink = Run::new(tools().cuda("nvlink"), bench.path());
    let nvlink = nvlink.arg(format!("-arch={ARCHITECTURE}")).args(files.iter().copied());
    nvlink.args(["-o", "image.cubin"]).succeed();
    let fatbinary = Run::new(tools().cuda("fatbinary"), bench.path());
    fatbinary
        .args(["--create=image.fatbin", "-64", "--image3=kind=elf,sm=90,file=image.cubin"])
        .succeed();
    let objects = objects.iter().map(|object| format!("--nvcc-object={object}"));
    let register = bench.weft("weft").args(["register", "image.fatbin"]).args(objects);
    register.args(["-o", "registration.c"]).succeed();
    let compiler = bench.llvm("clang").args(["-O3", "-fPIC", "-Wall", "-Wextra", "-Werror"]);
    compiler.args(["-c", "registration.c", "-o", "registration.o"]).succeed();
}

/// Returns the options by which the linker calls the wrappers.
fn wraps() -> [String; 4] {
    ["FatBinary", "FatBinaryEnd", "Function", "Var"]
        .map(|name| format!("-Wl,--wrap=__cudaRegister{name}"))
}

fn link(bench: &Workbench, files: &[&str], options: &[&str]) -> Run {
    let cuda = tools().cuda_root().display();
    bench
        .llvm("clang++")
        .args(files.iter().copied())
        .args(["registration.o", "spy.o"])
        .args(wraps())
        .args(options.iter().copied())
        .args(["-o", "program", &format!("-L{cuda}/lib")])
        .args(["-lcudart_static", "-ldl", "-lrt", "-lpthread"])
}

/// Runs the program and returns what the runtime was told, without the ids of nvcc's units.
fn told(bench: &Workbench) -> Vec<String> {
    let said = Run::new(bench.file("program"), bench.path()).succeed().stdout;
    said.lines().map(|line| line.split("__nv_static").next().unwrap().to_owned()).collect()
}

#[test]
fn units_of_nvcc_and_clang_are_registered_with_one_image() {
    let bench = bench();
    bench.summarize("main");
    bench.summarize("vendor");
    bench.thinlink(&["main", "vendor"], &[]);
    bench.import("main", &["main"]).succeed();
    bench.codegen("main").succeed();
    bench.assemble("main").succeed();
    register(
        &bench,
        &["main.cubin", "vendor.o", "libvendor.a"],
        &["vendor.o", "libvendor.a", "main.o", "image.cubin"],
    );
    let lld = format!("--ld-path={}", tools().llvm("ld.lld").display());
    let whole: &[&str] = &["-Wl,--whole-archive", "libvendor.a", "-Wl,--no-whole-archive"];
    for options in [&["-pie"][..], &["-no-pie"], &["-static-pie"], &[&lld], &[&lld, "-no-pie"]] {
        link(&bench, &["main.o", "vendor.o", "libvendor.a"], options).succeed();
        let mut told = told(&bench);
        assert_eq!(told.first().map(String::as_str), Some("begin"), "{told:?}");
        assert_eq!(told.last().map(String::as_str), Some("end"), "{options:?}: {told:?}");
        told.sort();
        assert_eq!(
            told,
            [
                "begin",
                "end",
                "kernel ",
                "kernel _Z8of_clangPi",
                "kernel _Z9of_vendori",
                "variable vendor_state"
            ],
            "{options:?}"
        );
        bench.weft("weft").args(["guard", "program", "--image", "image.fatbin"]).succeed();
    }
    link(&bench, &["main.o", "vendor.o"], whole).succeed();
    let told = told(&bench);
    assert_eq!(told.last().map(String::as_str), Some("end"), "{told:?}");
    assert!(told.contains(&"kernel _Z9of_unusedi".to_owned()), "{told:?}");
    // A unit that the registration does not know is an error of the host linker.
    register(&bench, &["main.cubin", "vendor.o", "libvendor.a"], &["vendor.o"]);
    let failed = link(&bench, &["main.o", "vendor.o", "libvendor.a"], &[]).expect(1);
    assert!(failed.stderr.contains("__cudaRegisterLinkedBinary_"), "{}", failed.stderr);
}

/// Entries of clang 19, 20 and 21 have another form or lie in another section, each.
#[test]
fn units_of_several_clangs_are_registered() {
    let bench = Workbench::new();
    bench.write("spy.c", SPY);
    bench.llvm("clang").args(["-c", "spy.c", "-o", "spy.o"]).succeed();
    // Twice, so that entries of either form follow those of the other.
    let units = [(19, "a"), (20, "b"), (19, "c"), (20, "d"), (21, "e"), (22, "f")];
    let mut expected = Vec::new();
    for (major, name) in units {
        bench.write(
            &format!("{name}.cu"),
            format!(
                "__device__ int of_{name};\n__global__ void kernel_{name}() {{ of_{name} = 1; }}\n\
                 extern \"C\" void use_{name}() {{\n  int v = 0;\n  kernel_{name}<<<1, 1>>>();\n  \
                 cudaMemcpyToSymbol(of_{name}, &v, sizeof v);\n}}\n"
            ),
        );
        let compiler = Compiler::before(major);
        let (clang, words) = compiler.clang_cxx();
        let cuda = format!("--cuda-path={}", compiler.cuda_root().display());
        let architecture = format!("--cuda-gpu-arch={ARCHITECTURE}");
        let device = ["-fgpu-rdc", "--offload-new-driver", "-foffload-lto", "-O2"];
        Run::new(clang, bench.path())
            .args(words)
            .args(device)
            .args([&cuda, &architecture, "-Wno-unknown-cuda-version", "-fPIC", "-c"])
            .args([format!("{name}.cu"), "-o".to_owned(), format!("{name}.o")])
            .succeed();
        expected.push(format!("kernel _Z8kernel_{name}v"));
        expected.push(format!("variable of_{name}"));
    }
    let declared = units.map(|(_, name)| format!("void use_{name}(void);\n")).concat();
    let calls = units.map(|(_, name)| format!("use_{name}(); ")).concat();
    bench.write("main.c", format!("{declared}int main(void) {{ {calls}return 0; }}\n"));
    let cuda = tools().cuda_root().display().to_string();
    let weft = bench.weft("weft").args(["link", "--cuda", &cuda, "--", "gcc", "main.c"]);
    let objects = units.map(|(_, name)| format!("{name}.o"));
    weft.args(objects)
        .args(["spy.o", "-o", "program"])
        .args(wraps())
        .args([&format!("-L{cuda}/lib"), "-lcudart_static", "-ldl", "-lrt", "-lpthread", "-lm"])
        .arg("-lstdc++")
        .succeed();
    let mut told = told(&bench);
    assert_eq!((told.remove(0), told.pop().unwrap()), ("begin".to_owned(), "end".to_owned()));
    told.sort();
    expected.sort();
    assert_eq!(told, expected);
}

#[test]
fn units_of_nvcc_alone_are_registered() {
    let bench = bench();
    bench.write("main.cu", MAIN.replace("of_clang", "of_main"));
    nvcc(&bench, "main");
    bench.write("objects.rsp", "libvendor.a\nvendor.o\nmain.o\n");
    register(&bench, &["main.o", "vendor.o", "libvendor.a"], &["@objects.rsp"]);
    let source = bench.read("registration.c");
    link(&bench, &["main.o", "vendor.o", "libvendor.a"], &[]).succeed();
    let mut told = told(&bench);
    assert_eq!((told.remove(0), told.pop().unwrap()), ("begin".to_owned(), "end".to_owned()));
    assert_eq!(told.len(), 4, "{told:?}");
    // The order of the files does not matter, and a joined object counts as all that it holds.
    register(
        &bench,
        &["main.o", "vendor.o", "libvendor.a"],
        &["main.o", "vendor.o", "libvendor.a"],
    );
    assert!(bench.read("registration.c") == source);
    bench.llvm("ld.lld").args(["-r", "main.o", "vendor.o", "-o", "both.o"]).succeed();
    register(&bench, &["main.o", "vendor.o", "libvendor.a"], &["both.o", "libvendor.a"]);
    assert!(bench.read("registration.c") == source);
}
