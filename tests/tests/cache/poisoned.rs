//! Stored results that match their digests but are no valid outputs: from the local cache, an HTTP
//! cache, a cluster's cache and a cluster. They count as misses, with a message, and are replaced.

use std::path::{Path, PathBuf};

use bazel_remote_apis::build::bazel::remote::execution::v2 as reapi;
use prost::Message as _;
use weft_action::store::entry::Entry;
use weft_artifact::Artifact as _;
use weft_remote::digest::{Digest, DigestFunction};
use weft_remote::{Remote, RemoteAction, RemoteResult, Settings};
use weft_tests::chain::{NAMES, UNITS};
use weft_tests::{Casd, Nginx, Outcome, RealServer, Run, Workbench, files_below};

/// Contents that replace every output.
const GARBAGE: [&[u8]; 4] =
    [b"garbage", b"\x7fELF\x02\x01\x01 garbage", b"BC\xc0\xde garbage", b".version 8.8\n{"];

/// Returns a checkout in which each phase has run once, without a cache.
fn checkout() -> Workbench {
    let bench = Workbench::new();
    for (name, text) in UNITS {
        bench.write(&format!("{name}.ll"), text);
    }
    bench.build(&NAMES);
    for (_, run, _) in steps(&bench) {
        run.succeed();
    }
    bench
}

/// Returns the thin link and each step of module `a`, with the name of the phase and the outputs.
fn steps(bench: &Workbench) -> Vec<(&'static str, Run, Vec<&'static str>)> {
    let summarize = bench.weft("summarize").args(["--module-id=a", "-o", "a.summary", "a.o"]);
    let thinlink = bench.weft("thinlink").args(["--has-global-host-info", "-o", "plans"]);
    let thinlink = thinlink.args(NAMES.map(|name| format!("{name}.summary")));
    let plans = vec!["plans/a.plan", "plans/b.plan", "plans/manifest.json", "plans/decisions.weft"];
    let both = bench.codegen("a").arg("--emit=bc,ptx");
    vec![
        ("summarize", summarize, vec!["a.summary"]),
        ("thinlink", thinlink, plans),
        ("import", bench.import("a", &NAMES), vec!["a.linked.bc"]),
        ("codegen", both, vec!["a.opt.bc", "a.ptx"]),
        ("assemble", bench.assemble("a"), vec!["a.cubin"]),
    ]
}

/// Runs every step three times with `options`, and replaces its stored result by garbage with
/// `poison` after the first run. The second run must give the bytes of the first run and report the
/// bad result, and the third run must be a hit.
fn each_step_survives(
    bench: &Workbench,
    options: &[String],
    poison: &dyn Fn(&[u8]),
    message: &str,
    has_hit: &dyn Fn(&Outcome) -> bool,
) {
    for (phase, run, outputs) in steps(bench) {
        let run = || run.clone().args(options.iter().cloned()).arg("--stats");
        let before: Vec<_> = outputs.iter().map(|file| bench.read(file)).collect();
        run().succeed();
        for garbage in GARBAGE {
            poison(garbage);
            for file in &outputs {
                bench.remove(file);
            }
            let outcome = run().succeed();
            outcome.says(&["warning: ", phase, message]);
            let after: Vec<_> = outputs.iter().map(|file| bench.read(file)).collect();
            assert!(before == after, "{phase} {garbage:?}\n{}", outcome.stderr);
            let again = run().succeed();
            assert!(!again.stderr.contains("warning"), "{phase} {garbage:?}\n{}", again.stderr);
            assert!(has_hit(&again), "{phase} is not replaced: {}", again.stderr);
        }
    }
}

/// Replaces the outputs in the entries of the local cache by garbage, with matching digests.
fn poison_entries(cache: &Path, garbage: &[u8]) {
    let mut count = 0;
    for path in files_below(&cache.join("v1/entries")) {
        let mut entry = Entry::decode(&std::fs::read(&path).unwrap()).unwrap();
        entry.outputs.iter_mut().for_each(|output| *output = garbage.to_vec());
        std::fs::write(&path, entry.encode().unwrap()).unwrap();
        count += 1;
    }
    assert!(count > 0, "there is something to poison");
}

#[test]
fn garbage_in_the_local_cache_is_dropped_and_verify_finds_it() {
    let bench = checkout();
    let cache = bench.file("cache");
    let options = ["--cache=all".to_owned(), format!("--cache-dir={}", cache.display())];
    let is_hit = |outcome: &Outcome| outcome.stderr.contains("       1       0 ");
    let poison = |garbage: &[u8]| poison_entries(&cache, garbage);
    each_step_survives(&bench, &options, &poison, "was dropped: ", &is_hit);
    // Only the entry of the last step is valid by now.
    let verify = || {
        let verify = bench.weft("weft").args(["cache", "verify"]).arg(options[1].clone());
        verify.succeed().stdout
    };
    assert_eq!(verify(), "1 results are sound, 4 were damaged and dropped\n");
    poison(GARBAGE[0]);
    assert_eq!(verify(), "0 results are sound, 1 were damaged and dropped\n");
    // All results that steps really made are valid.
    for (_, run, _) in steps(&bench) {
        run.args(options.iter().cloned()).succeed();
    }
    assert_eq!(verify(), "5 results are sound, 0 were damaged and dropped\n");
}

/// Makes each result among `files` name the content of `digest` as each of its outputs.
fn poison_results(files: Vec<PathBuf>, digest: Digest) {
    let wire = reapi::Digest {
        hash: digest.to_string().split('/').next().unwrap().to_owned(),
        size_bytes: digest.size().try_into().unwrap(),
    };
    let mut count = 0;
    for path in files {
        let Ok(mut result) = reapi::ActionResult::decode(&*std::fs::read(&path).unwrap()) else {
            continue;
        };
        if !result.output_files.iter().any(|file| file.digest.is_some()) {
            continue;
        }
        for file in &mut result.output_files {
            file.digest = Some(wire.clone());
            file.contents.clear();
        }
        std::fs::write(&path, result.encode_to_vec()).unwrap();
        count += 1;
    }
    assert!(count > 0, "there is something to poison");
}

/// Stores content on a server through the protocol.
fn upload(settings: &Settings, content: &[u8]) -> Digest {
    let action = RemoteAction {
        arguments: vec!["nothing".to_owned()],
        outputs: vec!["out".to_owned()],
        ..RemoteAction::default()
    };
    let outputs = vec![("out".to_owned(), content.to_vec())];
    let remote = Remote::connect(settings).unwrap();
    remote.store(&action, &RemoteResult { outputs, ..RemoteResult::default() }).unwrap();
    DigestFunction::Sha256.digest(content)
}

#[test]
fn garbage_in_an_http_cache_is_not_taken_and_is_replaced() {
    let bench = checkout();
    let nginx =
        Nginx::start("", "root FOLDER/files; dav_methods PUT; create_full_put_path on;", &[]);
    let url = format!("http://127.0.0.1:{}", nginx.port());
    let settings = Settings { cache: Some(url.clone()), ..Settings::default() };
    let options = [format!("--remote-cache={url}"), "--cache=off".to_owned()];
    let poison = |garbage: &[u8]| {
        let digest = upload(&settings, garbage);
        poison_results(files_below(&nginx.folder().join("files/ac")), digest);
    };
    let is_hit = |outcome: &Outcome| outcome.stderr.contains("1 from a remote cache");
    for (phase, run, outputs) in steps(&bench).split_off(3) {
        let run = || run.clone().args(options.iter().cloned()).arg("--stats");
        let before: Vec<_> = outputs.iter().map(|file| bench.read(file)).collect();
        run().succeed();
        for garbage in GARBAGE {
            poison(garbage);
            let messages =
                ["warning: ", phase, "not taken: ", &url, "sent an unusable result: module."];
            let outcome = run().succeed();
            outcome.says(&messages);
            let after: Vec<_> = outputs.iter().map(|file| bench.read(file)).collect();
            assert!(before == after, "{phase} {garbage:?}\n{}", outcome.stderr);
            let again = run().succeed();
            assert!(is_hit(&again) && !again.stderr.contains("warning"), "{}", again.stderr);
        }
    }
    // A result from the server that was rejected does not enter the local cache either.
    poison(GARBAGE[0]);
    let local = format!("--cache-dir={}", bench.file("cache").display());
    for _ in 0..2 {
        let run = bench.assemble("a").args([&options[0], "--cache=on", &local]);
        run.succeed();
    }
    let verify = bench.weft("weft").args(["cache", "verify", &local]).succeed();
    assert_eq!(verify.stdout, "1 results are sound, 0 were damaged and dropped\n");
}

#[test]
fn garbage_in_a_clusters_cache_is_run_again_and_replaced() {
    let bench = checkout();
    let server = RealServer::start(Casd::Newer);
    let settings = Settings { cache: Some(server.url()), ..Settings::default() };
    let poison = |garbage: &[u8]| {
        let digest = upload(&settings, garbage);
        poison_results(server.results(), digest);
    };
    let options = [format!("--remote-executor={}", server.url()), "--cache=off".to_owned()];
    let is_hit = |outcome: &Outcome| outcome.stderr.contains("1 from a remote cache");
    each_step_survives(&bench, &options, &poison, "not taken, running it again", &is_hit);
}

#[test]
fn a_cluster_that_makes_garbage_fails_the_step_or_is_said() {
    let bench = checkout();
    let server = RealServer::start(Casd::Newer);
    // The cluster runs a program that does not do what ptxas does.
    let source = "int main(void) { return 0; }";
    bench.write("liar.c", format!("#include <stdio.h>\n{}", source.replace("return 0", LIE)));
    bench.llvm("clang").args(["-static", "-o", "liar", "liar.c"]).succeed();
    let before = bench.read("a.cubin");
    let run = bench.weft("backend-job").args(["assemble", "--ptxas", "./liar", "a.ptx"]);
    let run = run.args(["-o", "new.cubin", &format!("--remote-executor={}", server.url())]);
    let outcome = run.expect(4);
    outcome.says(&["cannot run ptxas remotely", "sent an unusable result: module.cubin: it is no"]);
    assert!(!bench.file("new.cubin").exists());
    let real = bench.assemble("a").arg(format!("--remote-executor={}", server.url())).succeed();
    assert!(bench.read("a.cubin") == before, "{}", real.stderr);
}

/// Code that writes a file under a cubin's name that is no cubin.
const LIE: &str =
    "FILE *f = fopen(\"module.cubin\", \"w\"); fputs(\"garbage\", f); return fclose(f)";
