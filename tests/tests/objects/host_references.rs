//! Host code compiled with every style of options: a kernel or variable that host code uses stays,
//! and an unused one is removed if the object shows that it is unused.

use weft_artifact::{Artifact as _, HostFacts, ReferenceForm, SummaryFile};
use weft_tests::{ARCHITECTURE, Run, Workbench, for_each, tools};

/// A unit in which each kernel and variable is used at most once. `first` and `last` are at the
/// ends of their sections, and `switching` makes a jump table.
const UNIT: &str = r#"
#include <cuda_runtime.h>

__device__ int copied_to;
__device__ int address_taken[8];
__constant__ int read_at_an_offset[64];
__device__ int unused_variable;

__global__ void first(int *p) { *p = copied_to + address_taken[1] + read_at_an_offset[2]; }
__global__ void attribute_set(int *p) { *p = 3; }
__global__ void stored(int *p) { *p = 4; }
__global__ void returned(int *p) { *p = 5; }
__global__ void unused(int *p) { *p = 6 + unused_variable; }
template <class T> __global__ void instance(T *p) { *p = 7; }
__global__ void last(int *p) { *p = 8; }

extern "C" int consume(int);
int switching(int n) {
    switch (n) {
    case 0: return consume(1);
    case 1: return consume(n) * 3;
    case 2: return consume(12);
    case 3: return consume(n + 4) - 1;
    case 4: return consume(9) + n;
    case 5: return consume(n - 7);
    default: return 0;
    }
}
void launch(int *p) {
    first<<<1, 1>>>(p);
    instance<float><<<1, 1>>>((float *)p);
    last<<<1, 1>>>(p);
}
void set() {
    cudaFuncSetAttribute((const void *)attribute_set, cudaFuncAttributeMaxDynamicSharedMemorySize, 1);
}
void (*handlers[])(int *) = {stored};
const void *handler() { return (const void *)returned; }
void copy(int *p) {
    cudaMemcpyToSymbol(copied_to, p, 4);
    cudaMemcpyFromSymbol(p, read_at_an_offset, 4, 8);
}
void *address() { void *it; cudaGetSymbolAddress(&it, address_taken); return it; }
"#;

/// Kernels and variables that the host code of [`UNIT`] uses.
const USED: [&str; 9] = [
    "5first",
    "8instance",
    "4last",
    "13attribute_set",
    "6stored",
    "8returned",
    "copied_to",
    "address_taken",
    "read_at_an_offset",
];

/// Options for host code, and whether the object shows that nothing refers to the unused kernel.
const STYLES: [(&str, bool); 18] = [
    ("-O0", true),
    ("-O2", true),
    ("-Os", true),
    ("-O2 -fno-pic -no-pie", true),
    ("-O2 -fPIE", true),
    ("-O0 -fPIC", true),
    ("-O2 -fPIC", true),
    ("-O0 -fPIC -fno-semantic-interposition", false),
    ("-O2 -fPIC -fno-semantic-interposition", false),
    ("-Os -fPIC -fno-semantic-interposition", false),
    ("-O0 -fPIC -fno-semantic-interposition -ffunction-sections", true),
    ("-O2 -fPIC -fno-semantic-interposition -ffunction-sections", true),
    ("-O2 -fPIC -fno-semantic-interposition -ffunction-sections -fdata-sections", true),
    ("-O2 -fPIC -fvisibility=hidden", true),
    ("-O2 -fPIC -fno-plt -fno-semantic-interposition -fvisibility=hidden", true),
    ("-O2 -ffunction-sections -fdata-sections", true),
    ("-O2 -fPIC -mcmodel=large -fno-semantic-interposition", false),
    ("-O2 -g -fPIC -fno-semantic-interposition -fno-integrated-as", false),
];

fn facts(bench: &Workbench, name: &str) -> Option<HostFacts> {
    let file = SummaryFile::decode(&bench.read(&format!("{name}.summary"))).unwrap();
    let [summary] = file.summaries.try_into().unwrap();
    summary.host
}

/// Compiles `unit.cu` with the host code in style `style`, and summarizes it.
fn compile(bench: &Workbench, style: &str) {
    let cuda = tools().cuda_root().display();
    let host = |option: &str| ["-Xarch_host".to_owned(), option.to_owned()];
    bench
        .llvm("clang++")
        .args([format!("--cuda-gpu-arch={ARCHITECTURE}"), format!("--cuda-path={cuda}")])
        .args([format!("-I{cuda}/include/cccl"), "-fgpu-rdc".to_owned()])
        .args(["--offload-new-driver", "-foffload-lto", "-Wno-unknown-cuda-version"])
        .args(style.split_whitespace().flat_map(|option| match option {
            "-fno-integrated-as" => host(option).to_vec(),
            option => vec![option.to_owned()],
        }))
        .args(["-c", "unit.cu", "-o", "unit.o"])
        .succeed();
    bench.summarize("unit");
}

/// With clang's link-time optimization of the host side, the device code is inside bitcode of the
/// host, and the host's link would drop it.
#[test]
fn a_cuda_unit_whose_host_code_is_bitcode_is_refused() {
    let bench = Workbench::new();
    bench.write("unit.cu", UNIT);
    let cuda = tools().cuda_root().display();
    for side in [&["--offload-new-driver"] as &[&str], &["--cuda-host-only", "-fgpu-rdc"]] {
        bench
            .llvm("clang++")
            .args([format!("--cuda-gpu-arch={ARCHITECTURE}"), format!("--cuda-path={cuda}")])
            .args([format!("-I{cuda}/include/cccl"), "-fgpu-rdc".to_owned(), "-flto".to_owned()])
            .args(["-foffload-lto", "--offload-new-driver", "-Wno-unknown-cuda-version"])
            .args(side.iter().copied())
            .args(["-c", "unit.cu", "-o", "unit.o"])
            .succeed();
        let outcome = bench.weft("summarize").args(["-o", "x.summary", "unit.o"]).expect(3);
        outcome.says(&["unit.o: bitcode for the target 'x86_64-", "compiled without -flto"]);
    }
}

/// Returns the manner in which host code refers to the kernel or variable called `name`.
fn reference(facts: &HostFacts, name: &str) -> Option<ReferenceForm> {
    let mangled = format!("_Z{name}");
    let is_it = |device: &str| device == name || device.starts_with(&mangled);
    let entry = facts.entries.iter().find(|entry| is_it(&entry.device_name)).unwrap();
    assert!(!entry.host_symbol_is_local, "{name}");
    facts.reference(entry.host_symbol).map(|reference| reference.how)
}

#[test]
fn with_all_options_used_symbols_stay_and_provably_unused_ones_go() {
    for_each(&STYLES, |&(style, is_visible)| {
        let bench = Workbench::new();
        bench.write("unit.cu", UNIT);
        compile(&bench, style);
        let facts = facts(&bench, "unit").unwrap();
        for name in USED {
            assert!(reference(&facts, name).is_some(), "{style}: {name}");
        }
        let of_unused = reference(&facts, "6unused");
        assert_eq!(of_unused, (!is_visible).then_some(ReferenceForm::Invisible), "{style}");
        assert_eq!(reference(&facts, "unused_variable"), None, "{style}");
        let messages = bench.thinlink(&["unit"], &["--trace"]).stderr;
        let gone = [
            "no reference to kernel _Z6unusedPi\nno reference to variable unused_variable",
            "no reference to variable unused_variable",
        ];
        assert_eq!(messages.trim_end(), gone[usize::from(!is_visible)], "{style}");
    });
}

#[test]
fn a_listing_says_that_references_cannot_be_seen() {
    let bench = Workbench::new();
    bench.write("unit.cu", UNIT);
    compile(&bench, "-O2 -fPIC -fno-semantic-interposition");
    let listing = bench.weft("summarize").args(["--print-text", "unit.summary"]).succeed().stdout;
    let line = "    registers kernel _Z6unusedPi: perhaps referenced: its references are invisible";
    assert!(listing.lines().any(|known| known == line), "{listing}");
}

/// A section that a linker joined from several holds several stubs, while each section held a
/// single one before.
#[test]
fn stubs_that_a_linker_joined_do_not_fill_their_section() {
    let bench = Workbench::new();
    bench.write("unit.cu", UNIT);
    compile(&bench, "-O2 -fPIC -fno-semantic-interposition -ffunction-sections");
    bench.write(
        "join.ld",
        "SECTIONS { .text : { *(.text .text.*) } .llvm.offloading : { *(.llvm.offloading) } }",
    );
    let joined = ["-r", "-T", "join.ld", "unit.o", "-o", "joined.o"];
    Run::new("/usr/bin/ld", bench.path()).args(joined).succeed();
    bench.summarize("joined");
    let facts = facts(&bench, "joined").unwrap();
    for name in USED {
        assert!(reference(&facts, name).is_some(), "{name}");
    }
    assert_eq!(reference(&facts, "6unused"), Some(ReferenceForm::Invisible));
}

/// These objects hold no code yet, so every symbol must stay, as they may refer to any of them.
#[test]
fn objects_of_link_time_optimization_without_code_tell_nothing() {
    let bench = Workbench::new();
    bench.write("unit.cu", UNIT);
    compile(&bench, "-O2");
    bench.write(
        "launcher.cpp",
        "void __device_stub__unused(int *) __asm__(\"_Z21__device_stub__unusedPi\");\n\
         void launcher(int *p) { __device_stub__unused(p); }\n",
    );
    bench.write(
        "table.cpp",
        "extern \"C\" void f(); extern void (*const table[])(); void (*const table[])() = {f};",
    );
    for unit in ["launcher", "table"] {
        let source = format!("{unit}.cpp");
        for (options, is_known) in [
            (&["-flto"] as &[&str], false),
            (&["-flto", "-ffat-lto-objects"], true),
            (&["-flto", "-fno-fat-lto-objects", "-O2", "-g"], false),
            (&["-O2"], true),
        ] {
            let run = Run::new("/usr/bin/g++", bench.path()).args(options.iter().copied());
            run.args(["-c", &source, "-o", &format!("{unit}.o")]).succeed();
            bench.summarize(unit);
            let facts = facts(&bench, unit);
            assert_eq!(facts.is_some(), is_known, "{unit} {options:?}");
            let references = facts.map_or(1, |facts| facts.references.len());
            assert_eq!(references, 1, "{unit} {options:?}");
        }
    }
    let compile = |options: &[&str]| {
        Run::new("/usr/bin/g++", bench.path()).args(options.iter().copied()).succeed()
    };
    bench.write("empty.cpp", "");
    compile(&["-flto", "-ffat-lto-objects", "-c", "empty.cpp", "-o", "empty.o"]);
    bench.summarize("empty");
    assert_eq!(facts(&bench, "empty"), Some(HostFacts::default()));
    // Code in the same object does not make code complete that does not exist yet.
    compile(&["-flto", "-c", "launcher.cpp", "-o", "slim.o"]);
    compile(&["-c", "table.cpp", "-o", "code.o"]);
    bench.llvm("ld.lld").args(["-r", "slim.o", "code.o", "-o", "both.o"]).succeed();
    bench.summarize("both");
    assert_eq!(facts(&bench, "both"), None);
    for options in ["-flto", "-flto=thin"] {
        let compile = |options: &[&str]| bench.llvm("clang++").args(options.iter().copied());
        compile(&[options, "-c", "launcher.cpp", "-o", "launcher.o"]).succeed();
        bench.summarize("launcher");
        assert_eq!(facts(&bench, "launcher"), None, "{options}");
        compile(&[options, "-ffat-lto-objects", "-c", "launcher.cpp", "-o", "fat.o"]).succeed();
        bench.summarize("fat");
        assert_eq!(facts(&bench, "fat").unwrap().references.len(), 1, "{options}");
    }
    let run = Run::new("/usr/bin/g++", bench.path());
    run.args(["-flto", "-c", "launcher.cpp", "-o", "launcher.o"]).succeed();
    bench.summarize("launcher");
    let outcome = bench.thinlink(&["unit", "launcher"], &["--trace"]);
    outcome.says(&["launcher.summary tells nothing of its host code"]);
    assert!(!outcome.stderr.contains("no reference to kernel"), "{}", outcome.stderr);
}
