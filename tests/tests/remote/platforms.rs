//! Workers for each phase and each size of memory.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use weft_tests::{Casd, RealServer, tools};

use crate::proxy::{Calls, Fate};
use crate::steps::{linked, on};

/// Largest size of a message that describes a command.
const LARGEST_COMMAND: usize = 4_000;

/// Returns the commands among the blobs of a server that run `program`. The messages are bytes with
/// readable names in them.
fn commands(server: &RealServer, program: &str) -> Vec<String> {
    let contents = server.blobs().into_iter().filter_map(|path| std::fs::read(path).ok());
    let small = contents.filter(|content| content.len() < LARGEST_COMMAND);
    let texts = small.map(|content| String::from_utf8_lossy(&content).into_owned());
    texts.filter(|text| text.contains(program) && text.contains("TMPDIR")).collect()
}

#[test]
fn phases_have_platforms_of_their_own() {
    let bench = linked();
    let server = RealServer::start(Casd::Newer);
    let options = [
        "--remote-platform=pool=anywhere",
        "--remote-platform=codegen:pool=fast-cores",
        "--remote-platform=assemble:kind=tiny",
    ];
    for run in [bench.codegen("a"), bench.assemble("a")] {
        on(&server.url(), run).args(options).succeed();
    }
    let [codegen, assemble] = ["./backend-job", "./ptxas"].map(|program| {
        let found = commands(&server, program);
        assert_eq!(found.len(), 1, "{program}: {found:?}");
        found[0].clone()
    });
    assert!(codegen.contains("fast-cores"), "{codegen:?}");
    assert!(!codegen.contains("anywhere") && !codegen.contains("tiny"), "{codegen:?}");
    assert!(assemble.contains("anywhere") && assemble.contains("tiny"), "{assemble:?}");
    assert!(!assemble.contains("fast-cores"), "{assemble:?}");
}

#[test]
fn a_step_that_is_killed_is_tried_in_the_next_class_and_then_here() {
    let bench = linked();
    bench.codegen("a").succeed();
    bench.assemble("a").arg("--no-cache").succeed();
    let local = bench.read("a.cubin");
    // The worker's root has no folder of this machine, so this assembler is killed there.
    let text = format!(
        "[ -d {} ] || kill -9 $$\nexec {} \"$@\"",
        bench.path().display(),
        tools().cuda("ptxas").display()
    );
    bench.write_script("assembler", &text);
    let server = RealServer::start(Casd::Newer);
    let plain = || {
        let assembler = bench.file("assembler").display().to_string();
        let files = ["a.ptx", "-o", "a.cubin", "--ptxas", &assembler];
        on(&server.url(), bench.weft("backend-job").arg("assemble").args(files))
    };
    let classes = ["--remote-memory-class=4G:pool=large-one", "--remote-memory-class=1G:pool=tiny"];
    let step = || plain().args(classes);
    let said = ["had not enough resources", "it is tried once more on a worker with 4.0 GiB"];
    step().expect(4).says(&said);
    let pools: Vec<bool> = commands(&server, "TMPDIR")
        .iter()
        .map(|command| {
            let [large, tiny] = ["large-one", "tiny"].map(|pool| command.contains(pool));
            assert!(large != tiny, "{command:?}");
            large
        })
        .collect();
    assert!(pools.len() == 2 && pools[0] != pools[1], "{pools:?}");
    bench.remove("a.cubin");
    let outcome = step().arg("--remote-fallback").succeed();
    // The cluster is there, so what follows is sent to it again.
    outcome.says(&said).says(&["running it here: "]);
    assert!(bench.read("a.cubin") == local);
    // Without classes there is nothing to try.
    let outcome = plain().expect(4);
    outcome.says(&["the action was killed, exit status 137"]);
    assert!(!outcome.stderr.contains("once more"), "{}", outcome.stderr);
}

#[test]
fn the_size_of_the_inputs_chooses_the_first_class() {
    let bench = linked();
    bench.codegen("a").arg("--no-cache").succeed();
    let ptx = String::from_utf8(bench.read("a.ptx")).unwrap();
    // 64 MiB and 300 bytes for each of 5 million bytes are more than 1 GiB.
    let comment = format!("// {}\n", "padding ".repeat(9));
    bench.write("large.ptx", comment.repeat(5_000_000 / comment.len()) + &ptx);
    let server = RealServer::start(Casd::Newer);
    let classes = ["--remote-memory-class=8G:pool=large-one", "--remote-memory-class=1G:pool=tiny"];
    for (input, pool, other) in [("a", "tiny", "large-one"), ("large", "large-one", "tiny")] {
        let before = commands(&server, "./ptxas");
        on(&server.url(), bench.assemble(input)).args(classes).succeed();
        let mut new = commands(&server, "./ptxas");
        new.retain(|command| !before.contains(command));
        assert_eq!(new.len(), 1, "{input}: {new:?}");
        assert!(new[0].contains(pool) && !new[0].contains(other), "{input}: {:?}", new[0]);
    }
}

#[test]
fn a_cluster_without_resources_is_asked_for_the_next_class() {
    let bench = linked();
    bench.codegen("a").arg("--no-cache").succeed();
    let local = bench.read("a.ptx");
    let server = RealServer::start(Casd::Older);
    let asked = AtomicUsize::new(0);
    // The first class is asked for six times.
    let fates = move |name: &str, _| {
        if name == "Execute" && asked.fetch_add(1, Ordering::SeqCst) < 6 {
            return Fate::Exhausted;
        }
        Fate::Good
    };
    let calls = Calls::with(server.port(), Arc::new(fates));
    bench.remove("a.ptx");
    let classes = ["--remote-memory-class=1G:pool=small", "--remote-memory-class=8G:pool=large"];
    let outcome = on(&calls.url(), bench.codegen("a")).args(classes).arg("--stats").succeed();
    outcome.says(&["a worker with 8.0 GiB", "1 run remotely"]);
    assert_eq!(calls.refused(), 6);
    assert!(bench.read("a.ptx") == local);
}
