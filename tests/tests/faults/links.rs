//! Faults of the machine and of servers around `weft link`. Kills are in `kills` and
//! `child_processes`.

use weft_tests::{Outcome, Port, Run, Workbench, tools};

/// Returns a bench with two units in objects of clang, and the program `undisturbed`.
fn units() -> Workbench {
    let bench = Workbench::new();
    bench.write("b.cu", "__device__ int twice(int x) { return x * 2; }\n");
    let kernel = "__global__ void k(int *p) { *p = twice(*p); }\n";
    let main = "#include <cstdio>\nint main() { k<<<1, 1>>>(nullptr); std::puts(\"ran\"); }\n";
    bench.write("a.cu", format!("__device__ int twice(int);\n{kernel}{main}"));
    for unit in ["a", "b"] {
        bench.compile_cuda(unit, &[]);
    }
    Run::new("sh", bench.path()).args(["-c", &link("undisturbed")]).succeed();
    bench
}

/// Returns the command line of a link.
fn link(output: &str) -> String {
    let (weft, cuda) = (tools().weft("weft"), tools().cuda_root());
    let (weft, cuda) = (weft.display(), cuda.display());
    let runtime = format!("-L{cuda}/lib -lcudart_static -ldl -lrt -lpthread");
    format!("timeout 100 {weft} link --cuda {cuda} -- g++ a.o b.o -o {output} {runtime}")
}

fn assert_same(bench: &Workbench, program: &str) {
    assert!(bench.read(program) == bench.read("undisturbed"), "{program} differs");
    assert_eq!(Run::new(bench.file(program), bench.path()).succeed().stdout, "ran\n");
}

#[test]
fn a_link_on_a_full_disk_fails_and_succeeds_when_there_is_room() {
    let bench = units();
    std::fs::create_dir(bench.file("full")).unwrap();
    let full = bench.file("full").display().to_string();
    let script = format!(
        "export TMPDIR={full}\ncat /dev/zero > full/rest 2> /dev/null\n{0}; echo $?\n\
         find full -type f\nrm full/rest\n{0}; echo $?\nfind full -type f\n\
         cp full/program copied\n",
        link("full/program")
    );
    let run = Run::new("bwrap", bench.path()).args(["--dev-bind", "/", "/"]);
    let run = run.args(["--size", "33554432", "--tmpfs", &full, "sh", "-c", &script]);
    let outcome: Outcome = run.outcome();
    let expected = "4\nfull/rest\n0\nfull/program\n";
    assert_eq!(outcome.stdout, expected, "{}", outcome.stderr);
    outcome.says(&["No space left on device"]);
    assert_same(&bench, "copied");
}

#[test]
fn a_link_without_its_server_says_so_once_and_keeps_no_word_of_it() {
    let bench = units();
    // Notes about unreachable servers are kept, so each server has a different port.
    for (scheme, port) in [("grpc", Port::take()), ("http", Port::take())] {
        let program = format!("without-{scheme}");
        let run = Run::new("sh", bench.path()).args(["-c", &link(&program)]);
        let url = format!("{scheme}://127.0.0.1:{}", port.number());
        let cached = |run: Run| run.variable("WEFT_CACHE", "on").variable("WEFT_CACHE_DIR", scheme);
        let said = cached(run).variable("WEFT_REMOTE_CACHE", url).succeed().stderr;
        let warning = "warning: going on without the remote cache: ";
        assert_eq!(said.matches(warning).count(), 1, "{said}");
        assert_same(&bench, &program);
        // The whole link comes from the cache, and then the steps of one unit.
        let again = || cached(Run::new("sh", bench.path()).args(["-c", &link(&program)])).succeed();
        assert_eq!(again().stderr, "");
        let (source, object) = (bench.read("a.cu"), bench.read("a.o"));
        bench.write("a.cu", [source.as_slice(), b"__device__ int unused;\n"].concat());
        bench.compile_cuda("a", &[]);
        assert_eq!(again().stderr, "");
        bench.write("a.cu", source);
        bench.write("a.o", object);
    }
}

#[test]
fn links_in_one_folder_at_once_end_with_the_same_program() {
    let bench = units();
    let script = format!("{} & {} & wait", link("one"), link("one"));
    let run = Run::new("sh", bench.path()).args(["-c", &script]);
    run.variable("WEFT_CACHE", "on").variable("WEFT_CACHE_DIR", "cache").succeed();
    assert_same(&bench, "one");
}
