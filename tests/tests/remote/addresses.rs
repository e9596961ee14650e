//! Ways to servers other than a port of this machine.

use weft_tests::{Casd, RealServer};

use crate::steps::{linked, on};
use crate::support::{connect, execute, executor, out, script};

#[test]
fn servers_at_a_socket_run_actions() {
    for casd in Casd::ALL {
        let folder = tempfile::tempdir().unwrap();
        let socket = folder.path().join("casd").display().to_string();
        let server =
            RealServer::with_options(casd, &["--jobs=2", &format!("--bind=unix:{socket}")]);
        let remote = connect(&executor(&format!("unix:{socket}")));
        let action = script("cat in > out", b"content");
        assert_eq!(out(&execute(&remote, &action).unwrap()), b"content");
        assert!(remote.warnings().is_empty());
        // The same server answers at its port.
        assert!(connect(&executor(&server.url())).lookup(&action).unwrap().is_some());
    }
}

#[test]
fn steps_take_the_address_of_a_socket() {
    let bench = linked();
    bench.codegen("a").arg("--no-cache").succeed();
    let local = bench.read("a.ptx");
    let socket = bench.file("casd").display().to_string();
    let server =
        RealServer::with_options(Casd::Newer, &["--jobs=2", &format!("--bind=unix:{socket}")]);
    bench.remove("a.ptx");
    let run = on(&format!("unix://{socket}"), bench.codegen("a"));
    run.arg("--stats").succeed().says(&["1 run remotely"]);
    assert!(bench.read("a.ptx") == local);
    drop(server);
    let outcome = on(&format!("unix:{socket}"), bench.codegen("b")).expect(4);
    outcome.says(&["cannot reach unix:/"]);
    on("unix:casd", bench.codegen("b")).expect(2).says(&["a socket by its absolute path"]);
}
