//! `weft doctor` with the real tools: all there, and one at a time missing.

use std::path::Path;

use serde_json::Value;
use weft_tests::{Casd, Compiler, Outcome, Port, RealServer, Run, Workbench, tools};

/// Returns a call of the doctor that sees no variable of this process.
fn doctor(bench: &Workbench, search_path: &Path) -> Run {
    Run::new(tools().weft("weft"), bench.path())
        .arg("doctor")
        .variable("PATH", search_path)
        .variable("WEFT_LLVM_PREFIX", "")
        .variable("WEFT_CUDA_ROOT", "")
        .variable("WEFT_CONFIG", "")
        .variable("WEFT_CACHE", "")
        .variable("WEFT_CACHE_DIR", bench.file("cache"))
}

/// Returns a call that names all tools.
fn with_tools(bench: &Workbench) -> Run {
    doctor(bench, Path::new("/nowhere"))
        .arg("--clang")
        .arg(tools().llvm("clang"))
        .arg("--cuda")
        .arg(tools().cuda_root())
}

/// Returns the state and the text of a finding in the answer as JSON.
fn finding(outcome: &Outcome, name: &str) -> (String, String, String) {
    let answer: Value = serde_json::from_str(&outcome.stdout).unwrap();
    let findings = answer["findings"].as_array().unwrap();
    let found = findings.iter().find(|finding| finding["name"] == name);
    let found = found.unwrap_or_else(|| panic!("no {name} in {answer:#}"));
    let text = |key: &str| found[key].as_str().unwrap().to_owned();
    (text("state"), text("found"), text("what_to_do"))
}

#[test]
fn all_that_is_there_is_named() {
    let bench = Workbench::new();
    let outcome = with_tools(&bench).arg("--architecture=sm_80").succeed();
    let text = &outcome.stdout;
    assert!(text.ends_with("\nA build would work.\n") && !text.contains("FAILS"), "{text}");
    let joined = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for part in [
        "bitcode ok of LLVM22.",
        "compiles and links for sm_80; ptxas takes Weft's PTX ",
        "libdevice ok",
        "CCCL ok",
        "cache: 0 results, 0 B of 10",
        "settings file ok none",
        "server ok none is set",
    ] {
        assert!(joined.contains(part), "no {part:?} in {text}");
    }
    for line in text.lines().filter(|line| !line.contains('/')) {
        assert!(line.len() <= 80, "{line}");
    }
    assert!(!bench.file("cache").exists(), "the doctor leaves nothing");
}

#[test]
fn what_is_missing_is_named_with_the_remedy() {
    let bench = Workbench::new();
    let outcome = doctor(&bench, Path::new("/nowhere"))
        .arg("--json")
        .arg("--cuda")
        .arg(tools().cuda_root())
        .expect(4);
    let (state, found, remedy) = finding(&outcome, "clang");
    assert_eq!(
        (&*state, &*found),
        ("fails", "neither clang nor clang-22 to clang-16 is on the search path")
    );
    assert!(remedy.contains("install clang 22"), "{remedy}");
    outcome.says(&["a build would fail: clang"]);

    // A CUDA that lacks one program and is whole otherwise.
    let cuda = bench.file("cuda");
    std::fs::create_dir_all(cuda.join("bin")).unwrap();
    let link = |name: &str| {
        std::os::unix::fs::symlink(tools().cuda_root().join(name), cuda.join(name)).unwrap();
    };
    ["include", "lib", "nvvm", "bin/nvlink", "bin/fatbinary"].into_iter().for_each(link);
    let outcome = doctor(&bench, Path::new("/nowhere"))
        .arg("--json")
        .arg("--clang")
        .arg(tools().llvm("clang"))
        .arg("--cuda")
        .arg(&cuda)
        .expect(4);
    let (state, found, remedy) = finding(&outcome, "ptxas");
    assert_eq!(state, "fails");
    assert!(found.starts_with("not in ") && remedy.contains("install CUDA 13"), "{found} {remedy}");
    outcome.says(&["a build would fail: ptxas"]);

    let outcome = with_tools(&bench).args(["--architecture=sm_1", "--json"]).expect(4);
    let (state, _, remedy) = finding(&outcome, "a kernel");
    assert_eq!(state, "fails");
    assert!(remedy.contains("--architecture"), "{remedy}");
}

/// Before LLVM 22 the program that packs device code has another name.
#[test]
fn each_clang_has_a_packer_of_its_own() {
    let bench = Workbench::new();
    let packer = |clang: &Path, name: &str| {
        let run = doctor(&bench, Path::new("/nowhere")).arg("--json").arg("--clang").arg(clang);
        let outcome = run.arg("--cuda").arg(Compiler::before(19).cuda_root()).outcome();
        let (state, found, remedy) = finding(&outcome, name);
        (state, if remedy.is_empty() { found } else { remedy })
    };
    for major in [16, 19] {
        let clang = format!("/usr/bin/clang-{major}");
        let (state, found) = packer(Path::new(&clang), "clang-offload-packager");
        assert_eq!(state, "ok", "{found}");
        assert!(found.ends_with("/clang-offload-packager"), "{found}");
    }
    // A clang without the programs that are beside it.
    let alone = bench.write_program("clang", std::fs::read(tools().llvm("clang")).unwrap());
    let (state, remedy) = packer(&alone, "llvm-offload-binary");
    assert_eq!((&*state, remedy.contains("llvm-22")), ("note", true), "{remedy}");
}

#[test]
fn a_cache_that_cannot_be_written_fails_no_build() {
    let bench = Workbench::new();
    bench.write("file", "");
    let run = with_tools(&bench).arg("--json").arg("--cache-dir").arg(bench.file("file/cache"));
    let (state, found, remedy) = finding(&run.succeed(), "cache");
    assert_eq!(state, "note");
    assert!(found.contains("cannot be written"), "{found}");
    assert!(remedy.contains("--cache-dir"), "{remedy}");
}

#[test]
fn a_server_says_what_it_offers_or_is_down() {
    let bench = Workbench::new();
    let server = RealServer::start(Casd::Newer);
    let run = with_tools(&bench).arg("--json").arg("--remote-executor").arg(server.url());
    let (state, found, _) = finding(&run.succeed(), "server");
    assert_eq!(state, "ok");
    assert!(found.contains("results by sha256, takes results, runs steps"), "{found}");

    let free = Port::take();
    let url = format!("grpc://127.0.0.1:{}", free.number());
    let down = |option: &str| {
        with_tools(&bench).args(["--json", "--remote-connect-timeout=1", option]).arg(&url)
    };
    let outcome = down("--remote-executor").expect(4);
    assert_eq!(finding(&outcome, "server").0, "fails");
    outcome.says(&["a build would fail: server"]);
    // Without a cache on a server, every step runs here.
    assert_eq!(finding(&down("--remote-cache").succeed(), "server").0, "note");
}
