//! Facts about host code in summaries: every way to refer to a kernel or variable, compiled with
//! clang and with nvcc, is in the right table. The thin link uses these facts as documented.

use std::sync::OnceLock;

use weft_artifact::{
    Artifact as _, HostEntry, HostFacts, NamedKind, ReferenceForm, Summary, SummaryFile,
};
use weft_tests::{ARCHITECTURE, Run, Workbench, tools};

/// A unit with every way to refer to a kernel or variable. The names tell the way.
const UNIT: &str = r"
#include <cuda_runtime.h>

__device__ int copied_to;
__device__ int read_back;
__constant__ int table_of_constants;
__device__ int address_taken;
__device__ int never_named;
static __device__ int internal_variable;

__global__ void launched(int *p) { *p = copied_to + table_of_constants + read_back; }
__global__ void through_pointer(int *p) { *p = 2; }
__global__ void attribute_set(int *p) { *p = 3; }
__global__ void stored(int *p) { *p = 4 + address_taken; }
__global__ void launched_elsewhere(int *p) { *p = 5; }
__global__ void never_launched(int *p) { *p = 6 + never_named + internal_variable; }
template <class T> __global__ void instance(T *p) { *p = 7; }
namespace { __global__ void anonymous(int *p) { *p = 8; } }

void launch(int *p) {
    launched<<<1, 1>>>(p);
    instance<float><<<1, 1>>>((float *)p);
    anonymous<<<1, 1>>>(p);
}
void launch_pointer(int *p) {
    void *arguments[] = {&p};
    cudaLaunchKernel((const void *)through_pointer, dim3(1), dim3(1), arguments, 0, 0);
}
void set_attribute() {
    cudaFuncSetAttribute((const void *)attribute_set, cudaFuncAttributeMaxDynamicSharedMemorySize, 1);
}
void (*handlers[])(int *) = {stored};
void copy(int *p) {
    cudaMemcpyToSymbol(copied_to, p, 4);
    cudaMemcpyToSymbol(table_of_constants, p, 4);
    cudaMemcpyToSymbol(internal_variable, p, 4);
}
void copy_back(int *p) { cudaMemcpyFromSymbol(p, read_back, 4); }
void *address() { void *it; cudaGetSymbolAddress(&it, address_taken); return it; }
";

/// A unit without device code.
const LAUNCHER: &str = r"
__global__ void launched_elsewhere(int *p);
void elsewhere(int *p) { launched_elsewhere<<<1, 1>>>(p); }
";

struct Summaries {
    bench: Workbench,
    unit: Summary,
    launcher: Summary,
}

fn read(bench: &Workbench, name: &str) -> Vec<Summary> {
    SummaryFile::decode(&bench.read(&format!("{name}.summary"))).unwrap().summaries
}

fn only(bench: &Workbench, name: &str) -> Summary {
    let [summary] = read(bench, name).try_into().unwrap();
    summary
}

fn nvcc(bench: &Workbench) -> Run {
    Run::new(tools().cuda("nvcc"), bench.path())
        .arg(format!("-arch={ARCHITECTURE}"))
        .args(["-diag-suppress", "177"])
}

fn summaries(compile: impl Fn(&Workbench, &str)) -> Summaries {
    let bench = Workbench::new();
    bench.write("unit.cu", UNIT);
    bench.write("launcher.cu", LAUNCHER);
    for name in ["unit", "launcher"] {
        compile(&bench, name);
        bench.summarize(name);
    }
    let (unit, launcher) = (only(&bench, "unit"), only(&bench, "launcher"));
    Summaries { bench, unit, launcher }
}

fn of_clang() -> &'static Summaries {
    static SUMMARIES: OnceLock<Summaries> = OnceLock::new();
    SUMMARIES.get_or_init(|| summaries(Workbench::compile))
}

fn of_nvcc() -> &'static Summaries {
    static SUMMARIES: OnceLock<Summaries> = OnceLock::new();
    SUMMARIES.get_or_init(|| {
        summaries(|bench, name| {
            nvcc(bench).args(["-dc", &format!("{name}.cu"), "-o", &format!("{name}.o")]).succeed();
        })
    })
}

fn facts(summary: &Summary) -> &HostFacts {
    summary.host.as_ref().unwrap()
}

/// Returns the entry of the kernel or variable that is called `name` in the source.
fn entry(name: &str) -> &'static HostEntry {
    let mut entries = facts(&of_clang().unit).entries.iter();
    // In a mangled name, the length precedes the name, and types or the end of a namespace follow.
    let mangled = format!("{}{name}", name.len());
    let is_called = |entry: &&HostEntry| {
        let rest = entry.device_name.split_once(&mangled).map(|(_, rest)| rest);
        entry.device_name == name
            || rest
                .is_some_and(|rest| rest.starts_with("__") || rest.starts_with(char::is_uppercase))
    };
    entries.find(is_called).unwrap()
}

fn clang_says(name: &str) -> Option<ReferenceForm> {
    let unit = &of_clang().unit;
    facts(unit).reference(entry(name).host_symbol).map(|reference| reference.how)
}

/// Returns the tables of nvcc's unit that list a name, as kind and linkage: true means internal.
fn nvcc_says(name: &str) -> Vec<(NamedKind, bool)> {
    let named = facts(&of_nvcc().unit).named.iter();
    named
        .filter(|named| named.pattern.contains(name))
        .map(|named| (named.kind, named.internal))
        .collect()
}

const EXTERNAL_KERNEL: (NamedKind, bool) = (NamedKind::Kernel, false);
const INTERNAL_KERNEL: (NamedKind, bool) = (NamedKind::Kernel, true);

#[test]
fn an_explicit_launch() {
    assert_eq!(clang_says("launched"), Some(ReferenceForm::Explicit));
    assert!(!entry("launched").host_symbol_is_local);
    assert_eq!(nvcc_says("8launched*"), [EXTERNAL_KERNEL]);
}

#[test]
fn a_launch_through_a_pointer() {
    assert_eq!(clang_says("through_pointer"), Some(ReferenceForm::Explicit));
    assert_eq!(nvcc_says("through_pointer"), [EXTERNAL_KERNEL]);
}

#[test]
fn an_attribute_that_is_set() {
    assert_eq!(clang_says("attribute_set"), Some(ReferenceForm::Implicit));
    assert_eq!(nvcc_says("attribute_set"), [EXTERNAL_KERNEL]);
}

#[test]
fn an_address_in_data() {
    assert_eq!(clang_says("stored"), Some(ReferenceForm::Implicit));
    assert_eq!(nvcc_says("stored"), [EXTERNAL_KERNEL], "E is for external, not for explicit");
}

#[test]
fn copies_to_and_from_symbols() {
    for (name, kind) in [
        ("copied_to", NamedKind::Variable),
        ("read_back", NamedKind::Variable),
        ("table_of_constants", NamedKind::Constant),
    ] {
        assert_eq!(clang_says(name), Some(ReferenceForm::Explicit), "{name}");
        assert_eq!(nvcc_says(name), [(kind, false)], "{name}");
    }
}

#[test]
fn a_variable_whose_address_is_asked_for() {
    assert_eq!(clang_says("address_taken"), Some(ReferenceForm::Implicit));
    assert_eq!(nvcc_says("address_taken"), [(NamedKind::Variable, false)]);
}

#[test]
fn a_variable_of_the_unit_alone() {
    assert!(entry("internal_variable").host_symbol_is_local, "its references may be invisible");
    assert_eq!(nvcc_says("internal_variable"), [(NamedKind::Variable, true)]);
}

#[test]
fn a_kernel_template_that_host_code_instantiates() {
    assert_eq!(clang_says("instance"), Some(ReferenceForm::Explicit));
    // nvcc cannot tell whether this instance is internal, so it lists both kinds.
    assert_eq!(nvcc_says("8instance*"), [EXTERNAL_KERNEL, INTERNAL_KERNEL]);
}

#[test]
fn a_kernel_in_an_anonymous_namespace() {
    assert!(entry("anonymous").host_symbol_is_local, "its references may be invisible");
    assert!(entry("anonymous").device_name.contains("__intern__"), "its name is the unit's own");
    assert_eq!(nvcc_says("9anonymous*"), [INTERNAL_KERNEL]);
}

#[test]
fn a_launch_from_a_unit_without_device_code() {
    assert_eq!(clang_says("launched_elsewhere"), None);
    let stub = entry("launched_elsewhere").host_symbol;
    let reference = facts(&of_clang().launcher).reference(stub).unwrap();
    assert_eq!(reference.how, ReferenceForm::Explicit);
    assert!(nvcc_says("launched_elsewhere").is_empty());
    let named = &facts(&of_nvcc().launcher).named;
    assert_eq!(named.len(), 1);
    assert_eq!(named[0].pattern, "_Z18launched_elsewhere*");
}

#[test]
fn unreferenced_kernels_and_variables_are_in_no_table() {
    for name in ["never_launched", "never_named"] {
        assert_eq!(clang_says(name), None, "{name}");
        assert!(nvcc_says(name).is_empty(), "{name}");
    }
}

#[test]
fn the_thin_link_removes_only_what_nothing_refers_to() {
    let outcome = of_clang().bench.thinlink(&["unit", "launcher"], &["--trace"]);
    let gone: Vec<_> = outcome.stderr.lines().collect();
    let expected =
        ["no reference to kernel _Z14never_launchedPi", "no reference to variable never_named"];
    assert_eq!(gone, expected);
    let alone = of_clang().bench.thinlink(&["unit"], &["--trace"]);
    alone.says(&["never_launched", "no reference to kernel _Z18launched_elsewherePi"]);
}

#[test]
fn a_listing_says_it_in_words() {
    let listing =
        of_clang().bench.weft("summarize").args(["--print-text", "unit.summary"]).succeed().stdout;
    for line in [
        "module unit",
        "    registers kernel _Z8launchedPi: referenced explicitly",
        "    registers kernel _Z6storedPi: referenced implicitly",
        "    registers kernel _Z14never_launchedPi: not referenced here",
    ] {
        assert!(listing.lines().any(|known| known == line), "{line}\n{listing}");
    }
    let of_nvcc = of_nvcc().bench.weft("summarize").args(["--print-text", "unit.summary"]);
    let listing = of_nvcc.succeed().stdout;
    for line in [
        "    names external kernel _Z8launched*",
        "    names external constant table_of_constants",
        "  opaque cubin for sm_90, compressed",
        "    defines _Z8launchedPi",
    ] {
        assert!(listing.lines().any(|known| known == line), "{line}\n{listing}");
    }
}
