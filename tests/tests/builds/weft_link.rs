//! Programs that `weft link` links by the command that links their host code.

use std::ffi::OsString;

use weft_tests::{ARCHITECTURE, Casd, RealServer, Run, Workbench, tools};

pub(crate) const MAIN: &str = r#"
#include <cstdio>
void step(int *values);
int main() {
  step(nullptr);
  std::puts("done");
  return 0;
}
"#;
/// A unit with a kernel that is launched, and one that is not.
pub(crate) const STEP: &str = "
__device__ int scaled(int value);
__device__ int limit = 7;
__global__ void advance(int *values) { values[threadIdx.x] = scaled(values[threadIdx.x]) + limit; }
__global__ void forgotten(int *values) { values[0] = 1; }
void step(int *values) { advance<<<1, 32>>>(values); }
void set_limit(int value) { cudaMemcpyToSymbol(limit, &value, sizeof value); }
";
pub(crate) const SCALED: &str = "
__device__ int scaled(int value) { return value * 17 + 3; }
";
/// A unit that the host linker leaves out of an archive.
const UNUSED: &str = "
__global__ void of_unused(int *values) { values[0] = 2; }
void unused(int *values) { of_unused<<<1, 1>>>(values); }
";

/// Returns a command that finds Weft's executables, CUDA's and clang on the search path.
pub(crate) fn command(bench: &Workbench, program: &str) -> Run {
    let (clang, ptxas) = (tools().llvm("clang"), tools().cuda("ptxas"));
    let folders = [tools().executables(), ptxas.parent().unwrap(), clang.parent().unwrap()];
    let mut path = OsString::new();
    for folder in folders {
        path.push(folder);
        path.push(":");
    }
    path.push("/usr/bin:/bin");
    Run::new(program, bench.path()).variable("PATH", path)
}

pub(crate) fn weft(bench: &Workbench, options: &[&str], link: &[&str]) -> Run {
    let weft = command(bench, &tools().executables().join("weft").to_string_lossy());
    weft.arg("link").args(options.iter().copied()).arg("--").args(link.iter().copied())
}

/// Returns the words of a link with CUDA's runtime behind `files`.
pub(crate) fn with_runtime(program: &str, files: &[&str], options: &[&str]) -> Vec<String> {
    let library = format!("-L{}/lib", tools().cuda_root().display());
    let runtime = [library.as_str(), "-lcudart_static", "-ldl", "-lrt", "-lpthread"];
    [&[program], files, options, &runtime].concat().into_iter().map(str::to_owned).collect()
}

/// A folder with compiled units: of the host, and of nvcc.
pub(crate) fn units_of_nvcc() -> Workbench {
    let bench = Workbench::new();
    std::fs::create_dir(bench.file("src")).unwrap();
    bench.write("src/main.cpp", MAIN);
    Run::new("g++", bench.path()).args(["-c", "src/main.cpp", "-o", "src/main.o"]).succeed();
    for (unit, text) in [("step", STEP), ("scaled", SCALED)] {
        bench.write(&format!("src/{unit}.cu"), text);
        compile_by_nvcc(&bench, unit, &[]);
    }
    bench
}

/// Compiles a unit of the folder `src` to LTO IR, with more options.
pub(crate) fn compile_by_nvcc(bench: &Workbench, unit: &str, options: &[&str]) {
    let number = ARCHITECTURE.trim_start_matches("sm_");
    let code = format!("-gencode=arch=compute_{number},code=lto_{number}");
    let (source, object) = (format!("src/{unit}.cu"), format!("src/{unit}.o"));
    let words = ["-dc", "-Xcompiler", "-fPIC", &code, &source, "-o", &object];
    command(bench, "nvcc").args(words).args(options.iter().copied()).succeed();
}

/// Returns the names of the functions and variables in a program's image.
pub(crate) fn image_of(bench: &Workbench, program: &str) -> String {
    let list =
        Run::new(tools().cuda("cuobjdump"), bench.path()).args(["-elf", "-symbols", program]);
    list.succeed().stdout
}

pub(crate) fn words(words: &[String]) -> Vec<&str> {
    words.iter().map(String::as_str).collect()
}

/// The function of the other unit is inlined into the kernel, and the kernel that nothing launches
/// is removed.
fn assert_optimized(bench: &Workbench, program: &str) {
    let image = image_of(bench, program);
    assert!(image.contains("_Z7advancePi"), "{image}");
    for name in ["_Z6scaledi", "_Z9forgottenPi"] {
        assert!(!image.contains(name), "{name} is in the image:\n{image}");
    }
    assert!(Run::new(bench.file(program), bench.path()).succeed().stdout.contains("done"));
}

const OBJECTS: [&str; 3] = ["src/main.o", "src/step.o", "src/scaled.o"];

#[test]
fn the_image_is_that_of_the_steps_by_hand() {
    let bench = units_of_nvcc();
    let cuda = tools().cuda_root().display().to_string();
    let link = with_runtime("g++", &OBJECTS, &["-o", "program"]);
    let options = ["--keep", "kept", "-j1", "--cuda", &cuda];
    weft(&bench, &options, &words(&link)).succeed();
    assert_optimized(&bench, "program");

    let nvlink = tools().cuda("nvlink");
    let nvlink = nvlink.to_str().unwrap();
    for (number, object) in OBJECTS.iter().enumerate() {
        let summarize = bench.weft("summarize").args(["--module-id", object, "--nvlink", nvlink]);
        summarize.args(["-o", &format!("{number}.summary"), object]).succeed();
    }
    bench.write("order", OBJECTS.map(|object| format!("{object}\n")).concat());
    bench
        .weft("thinlink")
        .args(["--has-global-host-info", "--link-order", "order", "-o", "plans"])
        .args(["0.summary", "1.summary", "2.summary"])
        .succeed();
    for name in ["plans/src/step.o.plan", "plans/src/scaled.o.plan", "plans/manifest.json"] {
        let kept = bench.read(&format!("kept/{ARCHITECTURE}/{name}"));
        assert!(bench.read(name) == kept, "{name} differs");
    }
    bench
        .weft("backend-job")
        .args(["run", "--emit", "cubin", "--nvlink", nvlink, "--ptxas"])
        .arg(tools().cuda("ptxas"))
        .args(["--plan", "plans/src/step.o.plan", "--module", "src/step.o"])
        .args(["--import", "src/scaled.o=src/scaled.o", "-o", "step.cubin"])
        .succeed();
    let library = format!("{cuda}/lib/libcudadevrt.a");
    Run::new(nvlink, bench.path())
        .args([&format!("-arch={ARCHITECTURE}"), "step.cubin", &library, "-o", "image.cubin"])
        .succeed();
    let kept = bench.read(&format!("kept/{ARCHITECTURE}/image.cubin"));
    assert!(bench.read("image.cubin") == kept, "the images differ");
}

#[test]
fn nvcc_links_no_device_code_once_more() {
    let bench = units_of_nvcc();
    bench.write("files", "src/step.o \"src/scaled.o\"");
    let link = ["nvcc", "src/main.o", "--options-file", "files", "-o", "program"];
    weft(&bench, &[], &link).succeed();
    assert_optimized(&bench, "program");
    let images = Run::new(tools().cuda("cuobjdump"), bench.path()).args(["-lelf", "program"]);
    let images = images.succeed().stdout;
    assert_eq!(images.matches("ELF file").count(), 1, "{images}");
}

#[test]
fn archives_are_found_as_the_linker_finds_them() {
    let bench = units_of_nvcc();
    std::fs::create_dir(bench.file("lib")).unwrap();
    // clang's units show which of them the host linker leaves out.
    bench.write("src/unused.cu", UNUSED);
    bench.compile_cuda("src/unused", &[]);
    let members = ["src/step.o", "src/scaled.o", "src/unused.o"];
    bench.llvm("llvm-ar").args(["rcs", "lib/libstep.a"]).args(members).succeed();
    let link = with_runtime("g++", &["src/main.o"], &["-Llib", "-lstep", "-o", "program"]);
    weft(&bench, &[], &words(&link)).succeed();
    assert_optimized(&bench, "program");
    assert!(!image_of(&bench, "program").contains("_Z9of_unusedPi"), "no member is linked");

    let whole = ["-Wl,--whole-archive", "lib/libstep.a", "-Wl,--no-whole-archive", "-o", "whole"];
    let link = with_runtime("g++", &["src/main.o"], &whole);
    weft(&bench, &[], &words(&link)).succeed();
    assert!(image_of(&bench, "whole").contains("_Z9of_unusedPi"), "a member is linked");
}

#[test]
fn a_shared_library_keeps_what_others_may_launch() {
    let bench = units_of_nvcc();
    let link = with_runtime("g++", &["src/step.o", "src/scaled.o"], &["-shared", "-o", "step.so"]);
    let linked = |expected: bool, what: &str| {
        weft(&bench, &[], &words(&link)).succeed();
        let image = image_of(&bench, "step.so");
        assert!(image.contains("_Z7advancePi") && image.contains("limit"), "{what}: {image}");
        assert_eq!(image.contains("_Z9forgottenPi"), expected, "{what}: {image}");
    };
    linked(false, "nvcc hides host symbols");
    compile_by_nvcc(&bench, "step", &["--device-entity-has-hidden-visibility=false"]);
    linked(true, "nvcc exports host symbols");
    bench.compile_cuda("src/step", &["-fPIC"]);
    linked(true, "clang exports host symbols");
    bench.compile_cuda("src/step", &["-fPIC", "-fvisibility=hidden"]);
    linked(false, "clang hides host symbols");
}

#[test]
fn units_of_clang_for_two_architectures_get_an_image_each() {
    let bench = Workbench::new();
    bench.write("main.cpp", MAIN);
    bench.llvm("clang++").args(["-c", "main.cpp", "-o", "main.o"]).succeed();
    for (unit, text) in [("step", STEP), ("scaled", SCALED)] {
        bench.write(&format!("{unit}.cu"), text);
        bench.compile_cuda(unit, &["--cuda-gpu-arch=sm_80"]);
    }
    let files = ["main.o", "step.o", "scaled.o"];
    let link = with_runtime("clang++", &files, &["-o", "program"]);
    weft(&bench, &[], &words(&link)).succeed();
    assert_optimized(&bench, "program");
    let images = Run::new(tools().cuda("cuobjdump"), bench.path()).args(["-lelf", "program"]);
    let images = images.succeed().stdout;
    assert!(images.contains("sm_80") && images.contains("sm_90"), "{images}");
}

#[test]
fn options_reach_the_steps() {
    let bench = units_of_nvcc();
    let link = with_runtime("g++", &OBJECTS, &["-o", "program"]);
    let calls = ["-Xthinlink=--copy-limit=0", "-Xrun=--Xptxas=--verbose", "-Xnvlink=--verbose"];
    weft(&bench, &calls, &words(&link)).succeed();
    assert!(image_of(&bench, "program").contains("_Z6scaledi"), "the function is called");
    let size = || bench.read("program").len();
    let compressed = size();
    weft(&bench, &["-Xfatbinary=--compress=false"], &words(&link)).succeed();
    assert!(size() > compressed, "{} and {compressed} bytes", size());
    weft(&bench, &["-Xthinlink"], &words(&link)).expect(2).says(&["STEP=OPTION"]);
    weft(&bench, &["-Xptxas=-v"], &words(&link)).expect(2).says(&["summarize, thinlink, run"]);
    weft(&bench, &["-Xthinlink=--copy-limits=0"], &words(&link))
        .expect(2)
        .says(&["--copy-limit", "thinlink of program failed"]);
}

/// Links with a cache in the folder `cache`, and returns the messages.
fn linked_with_cache(bench: &Workbench, options: &[&str], link: &[String]) -> String {
    with_cache(weft(bench, options, &words(link)), "cache").succeed().stderr
}

fn with_cache(run: Run, folder: &str) -> Run {
    run.variable("WEFT_CACHE", "on").variable("WEFT_CACHE_DIR", folder)
}

/// Returns how many results of `phase` came from the cache in `folder` so far, and how many did
/// not.
fn counts_in(bench: &Workbench, folder: &str, phase: &str) -> [usize; 2] {
    let stats = bench.weft("weft").args(["cache", "stats", "--cache-dir", folder]);
    let table = stats.succeed().stdout;
    let mut rows = table.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    let row = rows.find(|row| row.first() == Some(&phase));
    row.map_or([0, 0], |row| [1, 2].map(|column| row[column].parse().unwrap()))
}

fn counts(bench: &Workbench, phase: &str) -> [usize; 2] {
    counts_in(bench, "cache", phase)
}

/// Compiles the unit of [`SCALED`] with another number, of as many digits.
fn edit_scaled(bench: &Workbench) {
    bench.write("src/scaled.cu", SCALED.replace("17", "18"));
    compile_by_nvcc(bench, "scaled", &[]);
}

#[test]
fn a_link_of_which_nothing_changed_comes_from_the_cache() {
    let bench = units_of_nvcc();
    let link_with = |output: &str, options: &[&str]| {
        let link = with_runtime("g++", &OBJECTS, &["-o", output]);
        linked_with_cache(&bench, &[&["-Xthinlink=--trace"], options].concat(), &link)
    };
    let links = || counts(&bench, "link");
    let first = link_with("first", &[]);
    assert!(first.contains("_Z9forgottenPi") && links() == [0, 1], "{first}");
    assert_eq!(link_with("second", &[]), first, "a result comes with its messages");
    assert_eq!(links(), [1, 1]);
    assert_eq!(image_of(&bench, "first"), image_of(&bench, "second"));
    assert_optimized(&bench, "second");

    // Anything that may affect the image changes the link's key.
    link_with("called", &["-Xthinlink=--copy-limit=0"]);
    assert!(links() == [1, 2] && image_of(&bench, "called").contains("_Z6scaledi"));
    edit_scaled(&bench);
    link_with("edited", &[]);
    assert_eq!(links(), [1, 3]);
    assert_ne!(bench.read("edited"), bench.read("first"));
    // The content of a file that an option names is not part of the link's key.
    bench.write("kernels.feedback", "");
    link_with("tuned", &["-Xthinlink=--feedback=kernels.feedback"]);
    assert_eq!(links(), [1, 3]);
}

/// Of a thin archive, the members are other files, which change without it.
#[test]
fn members_of_a_thin_archive_count_by_their_content() {
    let bench = units_of_nvcc();
    let archive = ["rcsT", "libstep.a", "src/step.o", "src/scaled.o"];
    Run::new("ar", bench.path()).args(archive).succeed();
    let link = with_runtime("g++", &["src/main.o", "libstep.a"], &["-o", "program"]);
    linked_with_cache(&bench, &[], &link);
    linked_with_cache(&bench, &[], &link);
    assert_eq!(counts(&bench, "link"), [1, 1]);
    let before = bench.read("libstep.a");
    edit_scaled(&bench);
    assert!(bench.read("libstep.a") == before, "the archive names its members alone");
    linked_with_cache(&bench, &[], &link);
    assert_eq!(counts(&bench, "link"), [1, 2]);
}

/// After an edit, the other units' results come from the cache, and no program starts for them.
#[test]
fn results_of_unchanged_units_come_from_the_cache() {
    let bench = units_of_nvcc();
    bench.write("src/other.cu", UNUSED);
    compile_by_nvcc(&bench, "other", &[]);
    let objects = [&OBJECTS[..], &["src/other.o"]].concat();
    let link = with_runtime("g++", &objects, &["-o", "program"]);
    linked_with_cache(&bench, &[], &link);
    let steps = || counts(&bench, "step");
    assert_eq!(steps(), [0, 6], "four summaries, and the jobs of the two kernels");
    edit_scaled(&bench);
    linked_with_cache(&bench, &[], &link);
    assert_eq!(steps(), [4, 8], "a summary, and the job of the kernel that calls the function");
    assert_optimized(&bench, "program");
    let fresh = with_runtime("g++", &objects, &["-o", "fresh"]);
    weft(&bench, &[], &words(&fresh)).succeed();
    assert!(image_of(&bench, "program") == image_of(&bench, "fresh"), "an old result is taken");

    // An edit of host code alone leaves the modules of device code as they are.
    bench.write("src/main.cpp", MAIN.replace("done", "well done"));
    Run::new("g++", bench.path()).args(["-c", "src/main.cpp", "-o", "src/main.o"]).succeed();
    linked_with_cache(&bench, &[], &link);
    assert_eq!(steps(), [9, 9], "a summary");
    // Options are part of a result's key.
    linked_with_cache(&bench, &["-Xrun=--maxrregcount=40"], &link);
    assert_eq!(steps(), [13, 11], "both jobs");
    // So is a plan: the function is called now, and its unit has a job.
    linked_with_cache(&bench, &["-Xthinlink=--copy-limit=0"], &link);
    assert_eq!(steps(), [18, 13], "the jobs of the call's two ends");
    assert!(image_of(&bench, "program").contains("_Z6scaledi"));
    // An option that the plan carries leaves the modules of a job as they are.
    linked_with_cache(&bench, &["-Xthinlink=--maxrregcount=40"], &link);
    assert_eq!(steps(), [22, 15], "both jobs");
}

#[test]
fn results_come_from_a_remote_cache() {
    results_come_from("WEFT_REMOTE_CACHE");
}

/// The cluster runs missing phases one by one, and keeps the results of whole steps, too.
#[test]
fn results_come_from_a_cluster() {
    results_come_from("WEFT_REMOTE_EXECUTOR");
}

/// Another machine reuses all results of the server, which the variable `setting` names.
fn results_come_from(setting: &str) {
    let server = RealServer::start(Casd::Newer);
    let bench = units_of_nvcc();
    let link = with_runtime("g++", &OBJECTS, &["-o", "program"]);
    let on_machine = |name: &str| {
        let weft = with_cache(weft(&bench, &[], &words(&link)), name);
        assert_eq!(weft.variable(setting, server.url()).succeed().stderr, "");
        let counts = ["link", "step"].map(|phase| counts_in(&bench, name, phase));
        (counts, image_of(&bench, "program"))
    };
    let (first, image) = on_machine("first");
    assert_eq!(first, [[0, 1], [0, 4]], "three summaries and a job");
    let second = on_machine("second");
    assert_eq!(second.0, [[1, 0], [0, 0]]);
    assert!(second.1 == image, "the images differ");
    edit_scaled(&bench);
    let (third, edited) = on_machine("third");
    assert_eq!(third, [[0, 1], [2, 2]]);
    assert!(edited != image, "an old image is taken");
}

#[test]
fn a_link_writes_its_report() {
    let bench = units_of_nvcc();
    let link = with_runtime("g++", &OBJECTS, &["-o", "program"]);
    for name in ["page.html", "data.json", "review.md", "steps.trace", "report.txt"] {
        weft(&bench, &["--report", name], &words(&link)).succeed();
    }
    let read = |name: &str| String::from_utf8(bench.read(name)).unwrap();
    let data: serde_json::Value = serde_json::from_str(&read("data.json")).unwrap();
    let kernels = data["kernels"].as_array().unwrap();
    assert_eq!(kernels.len(), 1, "{data}");
    assert!(kernels[0]["registers"].as_u64().is_some_and(|count| count > 0), "{data}");
    assert!(read("data.json").contains("_Z9forgottenPi"), "the removed kernel is named");
    assert!(read("page.html").contains("<html"));
    for name in ["review.md", "report.txt"] {
        assert!(read(name).contains("advance"), "{name}: {}", read(name));
    }
    assert!(read("steps.trace").contains("traceEvents"));
}

/// Makes a root of CUDA whose ptxas takes a second longer, as for large modules.
fn slow_cuda(bench: &Workbench) {
    let root = tools().cuda_root();
    std::fs::create_dir_all(bench.file("cuda/bin")).unwrap();
    for (from, to) in [(root.to_owned(), "cuda"), (root.join("bin"), "cuda/bin")] {
        for entry in std::fs::read_dir(from).unwrap() {
            let path = entry.unwrap().path();
            let link = bench.file(to).join(path.file_name().unwrap());
            if !["bin", "ptxas"].iter().any(|name| path.ends_with(name)) {
                std::os::unix::fs::symlink(&path, link).unwrap();
            }
        }
    }
    let ptxas = tools().cuda("ptxas");
    let script = format!("#!/bin/sh\nsleep 1\nexec {} \"$@\"\n", ptxas.display());
    bench.write("cuda/bin/ptxas", script);
    Run::new("chmod", bench.path()).args(["+x", "cuda/bin/ptxas"]).succeed();
}

#[test]
fn a_terminal_shows_how_far_the_link_is() {
    let bench = units_of_nvcc();
    slow_cuda(&bench);
    for number in 0..2 {
        let text = UNUSED.replace("unused", &format!("unused{number}"));
        bench.write(&format!("src/unused{number}.cu"), text);
        let number = format!("src/unused{number}");
        command(&bench, "nvcc")
            .args(["-dc", "-gencode=arch=compute_90,code=lto_90", &format!("{number}.cu"), "-o"])
            .arg(format!("{number}.o"))
            .succeed();
    }
    let files = [&OBJECTS[..], &["src/unused0.o", "src/unused1.o"]].concat();
    let link = with_runtime("g++", &files, &["-o", "program"]).join(" ");
    let typed = format!("weft link -j1 --cuda cuda -- {link}");
    let script = command(&bench, "script").args(["--quiet", "--return", "--command", &typed]);
    let shown = script.arg("/dev/null").succeed().stdout;
    assert!(shown.contains("weft: link program: 2 of 3 steps, about "), "{shown:?}");
    assert!(shown.ends_with(" \r"), "the line stays: {shown:?}");
    let log = command(&bench, "sh").args(["-c", &typed]).succeed();
    assert!(log.stderr.is_empty(), "{}", log.stderr);
}

#[test]
fn without_device_code_the_command_alone_runs() {
    let bench = units_of_nvcc();
    bench.write("alone.cpp", "int main() { return 0; }");
    weft(&bench, &[], &["g++", "-c", "alone.cpp", "-o", "alone.o"]).succeed();
    weft(&bench, &["--keep", "kept"], &["g++", "alone.o", "-o", "alone"]).succeed();
    Run::new(bench.file("alone"), bench.path()).succeed();
    assert!(!bench.file("kept").exists());
    weft(&bench, &[], &["g++", "src/main.o", "-o", "broken"])
        .expect(5)
        .says(&["undefined reference", "g++ failed"]);
    weft(&bench, &[], &[]).expect(2);
}

#[test]
fn what_cannot_be_read_is_named() {
    let bench = units_of_nvcc();
    bench.write("inputs.ld", "INPUT(src/step.o)");
    let link = with_runtime("g++", &["src/main.o", "inputs.ld"], &["-o", "program"]);
    weft(&bench, &[], &words(&link))
        .expect(3)
        .says(&["inputs.ld", "a linker script, whose inputs and names"]);
    let link = with_runtime("g++", &["src/main.o", "absent.o"], &["-o", "program"]);
    weft(&bench, &[], &words(&link)).expect(5).says(&["absent.o", "g++ failed"]);
    let link = with_runtime("g++", &OBJECTS, &["-o", "program"]);
    weft(&bench, &["--cuda", "nowhere"], &words(&link))
        .expect(4)
        .says(&["there is no bin/ptxas in nowhere", "--cuda"]);
    let link = with_runtime("g++", &["src/main.o", "src/step.o", "./src/step.o"], &[]);
    weft(&bench, &[], &words(&link)).expect(2).says(&["src/step.o are one file by two names"]);
    bench.write("circle", "@circle");
    weft(&bench, &[], &["g++", "@circle"]).expect(3).says(&["circle", "name each other"]);
    weft(&bench, &[], &["no-such-linker", "src/main.o"])
        .expect(4)
        .says(&["cannot start no-such-linker"]);
    let link = with_runtime("g++", &OBJECTS, &["-o", "program"]);
    weft(&bench, &[], &words(&link))
        .variable("TMPDIR", "/nowhere")
        .expect(4)
        .says(&["cannot make a temporary folder"]);
    std::fs::create_dir(bench.file("alone")).unwrap();
    std::fs::copy(tools().executables().join("weft"), bench.file("alone/weft")).unwrap();
    let link = with_runtime("g++", &OBJECTS, &["-o", "program"]);
    command(&bench, "alone/weft")
        .args(["link", "--"])
        .args(&link)
        .expect(4)
        .says(&["there is no summarize beside", "alone/weft"]);
    let scaled = bench.read("src/scaled.o");
    bench.write("src/scaled.o", &scaled[..scaled.len() / 2]);
    weft(&bench, &[], &words(&link)).expect(3).says(&["src/scaled.o"]);
}
