//! Steps of a build beside servers that fail in the middle of a step.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use weft_tests::chain::{self, NAMES};
use weft_tests::{Background, Casd, RealServer, Run, Workbench, tools};

use crate::proxy::{Calls, Fate, Fault, Wire};
use crate::support::{connect, execute, executor, running, script};

/// Returns a program of three units with its linked modules.
pub(crate) fn linked() -> Workbench {
    let bench = chain::written();
    bench.prepare(&NAMES);
    bench.thinlink(&NAMES, &[]);
    for name in NAMES {
        bench.import(name, &NAMES).arg("--no-cache").succeed();
    }
    bench
}

pub(crate) fn on(url: &str, run: Run) -> Run {
    run.args([format!("--remote-executor={url}").as_str(), "--cache=off"])
}

#[test]
fn a_server_that_goes_in_the_middle_is_an_error_or_said_and_made_good() {
    let bench = linked();
    bench.codegen("a").arg("--no-cache").succeed();
    let local = bench.read("a.ptx");
    let server = RealServer::start(Casd::Newer);
    // The server has the executable from now on, and the other inputs are small.
    on(&server.url(), bench.codegen("b")).succeed();
    let whole = Wire::new(server.port(), Fault::GoneAfter(u64::MAX));
    on(&whole.url(), bench.codegen("c")).succeed();
    for part in [0, 3, 8] {
        let fault = Fault::GoneAfter(whole.moved() * part / 10);
        let salt = format!("--remote-salt=gone{part}");
        bench.remove("a.ptx");
        let wire = Wire::new(server.port(), fault);
        let outcome =
            on(&wire.url(), bench.codegen("a")).args([&salt, "--remote-fallback"]).succeed();
        outcome.says(&["warning: cannot run codegen a.linked.bc remotely, running it here"]);
        assert!(bench.read("a.ptx") == local, "{part}");
        if part == 3 {
            bench.remove("a.ptx");
            let wire = Wire::new(server.port(), fault);
            let outcome = on(&wire.url(), bench.codegen("a")).args([&salt]).expect(4);
            outcome.says(&["cannot run", "remotely: cannot reach grpc://127.0.0.1"]);
            assert!(!bench.file("a.ptx").exists());
            bench.write("a.ptx", &local);
        }
    }
}

#[test]
fn a_build_through_calls_that_fail_now_and_then_is_the_same() {
    let bench = linked();
    let mut local = Vec::new();
    let mut remote = Vec::new();
    let server = RealServer::start(Casd::Older);
    let fates = |_: &str, number| if number % 20 == 3 { Fate::Refused } else { Fate::Good };
    let calls = Calls::with(server.port(), Arc::new(fates));
    for name in NAMES {
        for (kind, run) in [("ptx", bench.codegen(name)), ("cubin", bench.assemble(name))] {
            run.args(["--no-cache"]).succeed();
            local.push(bench.read(&format!("{name}.{kind}")));
        }
        for (kind, run) in [("ptx", bench.codegen(name)), ("cubin", bench.assemble(name))] {
            on(&calls.url(), run).succeed();
            remote.push(bench.read(&format!("{name}.{kind}")));
        }
    }
    assert!(local == remote);
    assert!(calls.refused() >= 1, "{:?}", calls.names());
}

#[test]
fn an_interrupted_step_ends_what_it_waits_for() {
    let bench = linked();
    // The only worker is busy, so the step waits.
    let server = RealServer::with_options(Casd::Newer, &["--jobs=1"]);
    let other = connect(&executor(&server.url()));
    let mark = format!("60.0{}", server.id());
    let busy = script(&format!("sleep {mark}; echo late > out"), b"");
    std::thread::scope(|scope| {
        let call = scope.spawn(|| execute(&other, &busy));
        running(&mark);
        // At a terminal a user sees one line, which is erased at the end.
        let program = tools().weft("backend-job").display().to_string();
        let line = format!(
            "{program} codegen --cache=off --remote-deadline=3 --remote-executor={} \
             a.linked.bc -o x",
            server.url()
        );
        let outcome = Run::new("script", bench.path()).args(["-qec", &line, "/dev/null"]).expect(4);
        assert!(outcome.stdout.contains("Execute took longer than 3 s"), "{}", outcome.stdout);
        let shown = outcome.stdout.matches("\rbackend-job: codegen a.linked.bc: ").count();
        assert!((1..=4).contains(&shown), "{}", outcome.stdout);
        assert!(outcome.stdout.contains(" sent, "), "{}", outcome.stdout);
        for (signal, code) in [("INT", 130), ("TERM", 143)] {
            let calls = Calls::new(server.port(), |_, _| false);
            let input = bench.file("a.linked.bc").display().to_string();
            let output = bench.file("interrupted.ptx").display().to_string();
            let words = ["codegen", "--cache=off", &input, "-o", &output].map(str::to_owned);
            let address = format!("--remote-executor={}", calls.url());
            let words: Vec<String> = words.into_iter().chain([address]).collect();
            let program = tools().weft("backend-job");
            let mut step = Background::start(&program, &words, None, &bench.file("log"));
            wait_for(&calls, "Execute");
            // The server takes this long to name the execution.
            std::thread::sleep(Duration::from_millis(500));
            let id = step.id().to_string();
            Run::new("kill", "/").args(["-s", signal, &id]).succeed();
            assert_eq!(step.wait(), Some(code), "{}", step.log());
            assert!(
                calls.names().iter().any(|call| call == "CancelOperation"),
                "{:?}",
                calls.names()
            );
            assert!(!Path::new(&output).exists());
        }
        other.cancel();
        drop(call.join().unwrap());
    });
}

fn wait_for(calls: &Calls, name: &str) {
    for _ in 0..3_000 {
        if calls.names().iter().any(|call| call == name) {
            return;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("{name} was never called: {:?}", calls.names());
}
