//! `weft guard` on programs whose host symbols have several names, or one address together.

use weft_tests::{ARCHITECTURE, Run, Workbench, tools};

/// A program that launches nothing by the name of a stub. `launch` is not defined by any unit.
const KERNELS: &str = "
__global__ void wanted(int *p) { *p = 1; }
__global__ void dead(int *p) { *p = 2; }
__device__ int state;
";
const STUB: &str = "_Z21__device_stub__wantedPi";

/// Compiles `kernels.cu` and links its device code, without unreferenced symbols.
fn bench(kernels: &str, units: &[&str], options: &[&str]) -> Workbench {
    let bench = Workbench::new();
    bench.write("kernels.cu", kernels);
    bench.compile_cuda("kernels", &["-ffunction-sections"]);
    bench.summarize("kernels");
    for unit in units {
        bench.summarize(unit);
    }
    image(&bench, units, options);
    bench
}

/// Makes `registration.o` from the image of `kernels`, with the summaries of `units`, too.
fn image(bench: &Workbench, units: &[&str], options: &[&str]) {
    let all: Vec<_> = ["kernels"].iter().chain(units).copied().collect();
    bench.thinlink(&all, options);
    bench.import("kernels", &["kernels"]).succeed();
    bench.codegen("kernels").succeed();
    bench.assemble("kernels").succeed();
    let nvlink = Run::new(tools().cuda("nvlink"), bench.path());
    nvlink.args([&format!("-arch={ARCHITECTURE}"), "kernels.cubin", "-o", "image.cubin"]).succeed();
    let fatbinary = Run::new(tools().cuda("fatbinary"), bench.path());
    fatbinary
        .args(["--create=image.fatbin", "-64", "--image3=kind=elf,sm=90,file=image.cubin"])
        .succeed();
    bench.weft("weft").args(["register", "image.fatbin", "-o", "registration.c"]).succeed();
    bench.llvm("clang").args(["-fPIC", "-c", "registration.c", "-o", "registration.o"]).succeed();
}

fn compile(bench: &Workbench, name: &str, text: &str, options: &[&str]) {
    let source = format!("{name}.cpp");
    bench.write(&source, text);
    let output = format!("{name}.o");
    bench
        .llvm("clang++")
        .args(options.iter().copied())
        .args(["-c", &source, "-o", &output])
        .succeed();
}

fn link(bench: &Workbench, files: &[&str]) {
    let cuda = tools().cuda_root().display();
    bench
        .llvm("clang++")
        .args(["kernels.o", "registration.o"])
        .args(files.iter().copied())
        .args(["-o", "program", "-Wl,--dependency-file=program.d", &format!("-L{cuda}/lib")])
        .args(["-lcudart_static", "-ldl", "-lrt", "-lpthread"])
        .succeed();
}

fn guard(bench: &Workbench) -> Run {
    bench
        .weft("weft")
        .args(["guard", "program", "--dependency-file", "program.d"])
        .args(["--manifest", "plans/manifest.json"])
}

fn lld() -> String {
    format!("--ld-path={}", tools().llvm("ld.lld").display())
}

/// Says that the kernel was removed although `user` refers to it.
fn refuses(bench: &Workbench, kernel: &str, user: &str) {
    let says = format!("kernel {kernel} was removed as nothing refers to it, but {user} may");
    guard(bench).expect(3).says(&[&says]);
}

const LAUNCH: &str = "extern \"C\" void launch(int *); int main() { launch(nullptr); }";

#[test]
fn a_name_that_the_link_gives_to_a_stub_is_found() {
    let bench = bench(KERNELS, &[], &[]);
    compile(&bench, "main", LAUNCH, &[]);
    bench.write("script.ld", format!("launch = {STUB};\n"));
    let simple = format!("-Wl,--defsym=launch={STUB}");
    let first = format!("-Wl,--defsym=middle={STUB}");
    let lld = lld();
    let ways: [&[&str]; 6] = [
        &[&simple],
        &[&simple, "-no-pie"],
        &[&simple, &lld],
        &[&first, "-Wl,--defsym=launch=middle"],
        &["script.ld"],
        &["script.ld", "-static-pie"],
    ];
    for way in ways {
        let files: Vec<_> = ["main.o"].iter().chain(way).copied().collect();
        link(&bench, &files);
        refuses(&bench, "_Z6wantedPi", "main.o");
    }
    // The same names do no harm if nothing refers to them.
    compile(&bench, "main", "int main() {}", &[]);
    link(&bench, &["main.o", &simple]);
    guard(&bench).succeed();
    // The thin link was told of the option, and the kernel is there.
    compile(&bench, "main", LAUNCH, &[]);
    image(&bench, &[], &[&format!("--host-link-option={simple}")]);
    for way in ways {
        let files: Vec<_> = ["main.o"].iter().chain(way).copied().collect();
        link(&bench, &files);
        let outcome = guard(&bench).succeed();
        assert!(outcome.stderr.is_empty(), "{}", outcome.stderr);
    }
}

#[test]
fn a_wrapper_refers_to_what_it_wraps() {
    let bench = bench(KERNELS, &[], &[]);
    let text = format!(
        "extern \"C\" void __real_{STUB}(int *);\n\
         extern \"C\" void __wrap_{STUB}(int *p) {{ __real_{STUB}(p); }}\n\
         int main() {{ __wrap_{STUB}(nullptr); }}"
    );
    compile(&bench, "main", &text, &[]);
    let wrap = format!("-Wl,--wrap={STUB}");
    link(&bench, &["main.o", &wrap]);
    refuses(&bench, "_Z6wantedPi", "main.o");
    bench.summarize("main");
    image(&bench, &["main"], &[]);
    link(&bench, &["main.o", &wrap]);
    guard(&bench).succeed();
}

#[test]
fn an_alias_in_the_unit_refers_to_the_stub() {
    let alias = format!(
        "{KERNELS}#ifndef __CUDA_ARCH__\n\
         extern \"C\" __attribute__((alias(\"{STUB}\"))) void launch(int *);\n\
         extern \"C\" __attribute__((alias(\"launch\"))) void again(int *);\n#endif\n"
    );
    for called in ["launch", "again"] {
        // A thin link that knows of no other unit removes the kernel, and the guard finds it.
        let bench = bench(&alias, &[], &[]);
        compile(&bench, "main", &LAUNCH.replace("launch", called), &[]);
        link(&bench, &["main.o"]);
        refuses(&bench, "_Z6wantedPi", "main.o");
        bench.summarize("main");
        image(&bench, &["main"], &[]);
        link(&bench, &["main.o"]);
        guard(&bench).succeed();
        let manifest = String::from_utf8(bench.read("plans/manifest.json")).unwrap();
        assert!(manifest.contains("\"_Z4deadPi\""), "{manifest}");
    }
}

/// The code of such an object is made in the link, so only its names show its references.
#[test]
fn an_object_for_link_time_optimization_is_read_for_names() {
    let bench = bench(KERNELS, &[], &[]);
    let calls = format!("extern \"C\" void {STUB}(int *); int main() {{ {STUB}(nullptr); }}");
    let lld = lld();
    for (text, is_refused) in [(calls.as_str(), true), ("int main() {}", false)] {
        for option in ["-flto", "-flto=thin"] {
            compile(&bench, "main", text, &[option]);
            link(&bench, &["main.o", option, &lld]);
            if is_refused {
                refuses(&bench, "_Z6wantedPi", "main.o");
            } else {
                guard(&bench).succeed();
            }
        }
    }
}

#[test]
fn kernels_of_one_address_are_refused() {
    let kernels = "
__global__ void one(int *p) { *p = 1; }
__global__ void two(int *p) { *p = 2; }
__global__ void three(int *p) { *p = 3; }
int main() { one<<<1, 1>>>(nullptr); two<<<1, 1>>>(nullptr); }
";
    let bench = bench(kernels, &[], &[]);
    let lld = lld();
    let says = "kernels _Z3onePi, _Z3twoPi, _Z5threePi have one address in host code";
    let all: [&[&str]; 3] = [
        &["-Wl,--icf=all", &lld],
        &["-Wl,--icf=all", "-fuse-ld=gold", "-no-pie"],
        &["-Wl,--icf=all", &lld, "-s"],
    ];
    for options in all {
        link_without_list(&bench, options);
        let guard = bench.weft("weft").args(["guard", "program", "kernels.o"]);
        let guard = guard.args(["--manifest", "plans/manifest.json"]);
        guard.expect(3).says(&[says, "link with -Wl,--icf=safe"]);
    }
    let folding: [&[&str]; 3] = [&["-Wl,--icf=safe", &lld], &["-Wl,--icf=none", &lld], &[]];
    for options in folding {
        link(&bench, options);
        guard(&bench).succeed();
    }
}

/// gold writes no list of its inputs.
fn link_without_list(bench: &Workbench, options: &[&str]) {
    let cuda = tools().cuda_root().display();
    bench
        .llvm("clang++")
        .args(["kernels.o", "registration.o", "-o", "program", &format!("-L{cuda}/lib")])
        .args(options.iter().copied())
        .args(["-lcudart_static", "-ldl", "-lrt", "-lpthread"])
        .succeed();
}

/// clang registers a static variable that its attribute keeps, and the runtime finds local symbols.
#[test]
fn a_local_symbol_of_the_image_serves_an_entry() {
    let kernels = "
static __device__ __attribute__((used)) int counter = 4;
static __device__ __attribute__((used)) int table[3] = {1, 2, 3};
__global__ void one(int *p) { *p = 1; }
int main() { one<<<1, 1>>>(nullptr); }
";
    let bench = bench(kernels, &[], &[]);
    link(&bench, &[]);
    guard(&bench).succeed();
    // An image without the variable is still refused.
    let text = bench.read("kernels.ptx");
    let text = String::from_utf8(text).unwrap();
    assert!(text.contains("_ZL7counter"), "{text}");
    let without = text.replace("_ZL7counter", "_ZL7another");
    bench.write("kernels.ptx", &without);
    bench.assemble("kernels").succeed();
    let nvlink = Run::new(tools().cuda("nvlink"), bench.path());
    nvlink.args([&format!("-arch={ARCHITECTURE}"), "kernels.cubin", "-o", "image.cubin"]).succeed();
    let fatbinary = Run::new(tools().cuda("fatbinary"), bench.path());
    fatbinary
        .args(["--create=image.fatbin", "-64", "--image3=kind=elf,sm=90,file=image.cubin"])
        .succeed();
    bench.llvm("clang").args(["-fPIC", "-c", "registration.c", "-o", "registration.o"]).succeed();
    link(&bench, &[]);
    guard(&bench).expect(3).says(&["variable _ZL7counter is not in the image"]);
}

/// clang registers such a variable by the name of a visible one, while its device code keeps it
/// local.
#[test]
fn a_constant_that_clang_keeps_to_its_unit_has_its_own_advice() {
    let unit = |declaration: &str| {
        format!(
            "{declaration} float weights[4] = {{0.5f, 1.5f, 2.5f, 3.5f}};
__global__ void one(float *p) {{ *p = weights[threadIdx.x & 3]; }}
int main() {{
  float host[4];
  one<<<1, 1>>>(nullptr);
  return cudaMemcpyFromSymbol(host, weights, sizeof host) != 0;
}}
"
        )
    };
    for declaration in ["__device__ const", "static const __device__"] {
        let bench = bench(&unit(declaration), &[], &[]);
        link(&bench, &[]);
        guard(&bench).expect(3).says(&[
            "variable _ZL7weights__static__",
            "registered by kernels.o, whose own device code does not have it",
            "declare it inline, or extern with a definition in one unit",
        ]);
    }
    let advised =
        ["inline __device__ const", "inline __constant__ const", "extern __device__ const"];
    for declaration in advised {
        let declared = match declaration.strip_prefix("extern ") {
            Some(rest) => format!("{declaration} float weights[4];\n{rest}"),
            None => declaration.to_owned(),
        };
        let bench = bench(&unit(&declared), &[], &[]);
        link(&bench, &[]);
        guard(&bench).succeed();
    }
}
