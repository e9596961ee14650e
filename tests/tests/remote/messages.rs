//! Mistakes in the settings and in inputs: what users are told, and the exit code.

use weft_tests::chain::imported;
use weft_tests::{Casd, Nginx, RealServer, Workbench};

use crate::proxy::Calls;
use crate::support::{connect, execute, executor, running, script};

fn codegen(bench: &Workbench, option: &str) -> weft_tests::Run {
    bench.codegen("a").arg(option)
}

#[test]
fn a_port_without_the_service_is_said_with_the_option_to_change() {
    let bench = imported();
    let server = RealServer::start(Casd::Newer);
    // The scheduler of some clusters has a separate port, which answers other calls with 404.
    let port = server.port();
    let passed = ["Capabilities", "Execution"].map(|service| {
        let path = format!("/build.bazel.remote.execution.v2.{service}/");
        format!("location {path} {{ grpc_pass grpc://127.0.0.1:{port}; }}\n")
    });
    let scheduler = format!("{} location / {{ return 404; }}", passed.concat());
    let nginx = Nginx::start("http2", &scheduler, &[]);
    let address = format!("127.0.0.1:{}", nginx.port());
    let option = format!("--remote-executor=grpc://{address}");
    codegen(&bench, &option).expect(4).says(&["404", "has no store", "by --remote-cache"]);
    let store = format!("--remote-cache={}", server.url());
    codegen(&bench, &option).arg(store).succeed();
    let nothing = Nginx::start("http2", "location / { return 404; }", &[]);
    let option = format!("--remote-executor=grpc://127.0.0.1:{}", nothing.port());
    codegen(&bench, &option).expect(4).says(&["404", "check --remote-executor"]);
    // The call is not repeated.
    let calls = Calls::new(nothing.port(), |_, _| false);
    codegen(&bench, &format!("--remote-executor={}", calls.url())).expect(4);
    assert_eq!(calls.names(), ["GetCapabilities"]);
}

#[test]
fn tls_to_a_plain_port_is_said_with_the_address_to_try() {
    let bench = imported();
    let server = RealServer::start(Casd::Newer);
    let option = format!("--remote-executor=grpcs://127.0.0.1:{}", server.port());
    codegen(&bench, &option).expect(4).says(&["may speak no TLS", "start with grpc://"]);
    let nginx = Nginx::start("", "root FOLDER/files;", &[]);
    let option = format!("--remote-cache=https://127.0.0.1:{}", nginx.port());
    codegen(&bench, &option).succeed().says(&["may speak no TLS", "start with http://"]);
}

#[test]
fn a_path_without_a_cache_is_said() {
    let bench = imported();
    let nginx = Nginx::start("", "location / { return 404; }", &[]);
    let option = format!("--remote-cache=http://127.0.0.1:{}", nginx.port());
    codegen(&bench, &option).succeed().says(&["404", "no cache is at this path"]);
}

#[test]
fn a_deadline_that_passes_in_the_queue_says_so() {
    let bench = imported();
    // The only worker is busy, so the step waits.
    let server = RealServer::with_options(Casd::Newer, &["--jobs=1"]);
    let other = connect(&executor(&server.url()));
    let mark = format!("61.0{}", server.id());
    let busy = script(&format!("sleep {mark}; echo late > out"), b"");
    std::thread::scope(|scope| {
        let call = scope.spawn(|| execute(&other, &busy));
        running(&mark);
        let option = format!("--remote-executor={}", server.url());
        let outcome = codegen(&bench, &option).arg("--remote-deadline=3").expect(4);
        // casd reports no stages.
        outcome.says(&["Execute took longer than 3 s", "it may only have been queued"]);
        other.cancel();
        drop(call.join().unwrap());
    });
}

#[test]
fn bad_input_is_told_as_here() {
    let bench = imported();
    let server = RealServer::start(Casd::Newer);
    bench.write("folder of mine.bc", "BC\u{00C0}\u{00DE} and no more");
    let job = |words: &[&str]| {
        let run = bench.weft("backend-job").args(["codegen", "folder of mine.bc", "-o", "x.ptx"]);
        run.args(words.iter().copied()).expect(3)
    };
    let here = job(&[]);
    let remotely = job(&[&format!("--remote-executor={}", server.url())]);
    assert!(here.stderr.contains("folder of mine.bc"), "{}", here.stderr);
    assert_eq!(remotely.stderr, here.stderr);
}

#[test]
fn an_assembler_that_goes_wrong_on_a_worker_is_the_assemblers_failure() {
    let bench = imported();
    bench.codegen("a").succeed();
    let server = RealServer::start(Casd::Newer);
    let executor = format!("--remote-executor={}", server.url());
    let job = |script: &str, code| {
        bench.write_script("assembler", script);
        let assembler = bench.file("assembler").display().to_string();
        let words = ["assemble", "a.ptx", "-o", "a.cubin", "--ptxas", &assembler, &executor];
        bench.weft("backend-job").args(words).expect(code)
    };
    // The executables use this code for a wrong input, and any other program only by chance.
    job("exit 3", 5).says(&["exit status: 3 (run remotely)"]);
    let junk =
        "while [ $# -gt 0 ]; do [ \"$1\" != --output-file ] || echo junk > \"$2\"; shift; done";
    let outcome = job(junk, 4);
    assert!(!outcome.stderr.contains("running it again"), "{}", outcome.stderr);
}
