//! A stored result repeats the messages of the run that made it, wherever it comes from.

use weft_tests::chain;
use weft_tests::{Casd, Nginx, RealServer, Run, Workbench, tools};

/// PTX about which ptxas prints two warnings, one with a line number and one without.
const DUBIOUS: &str = ".version 8.8
.target sm_60
.address_size 64
.visible .entry k(.param .u64 p)
{
.reg .b64 %rd<3>;
.reg .b32 %r<5>;
.reg .pred %p<2>;
.pragma \"nonsense\";
ld.param.u64 %rd1, [p];
ld.global.u32 %r1, [%rd1];
vote.ballot.b32 %r2, %p1;
st.global.u32 [%rd1], %r2;
ret;
}
";

fn checkout() -> Workbench {
    let bench = chain::imported();
    bench.write("k.ptx", DUBIOUS);
    bench
}

/// Returns commands of steps that print messages.
fn talkative(bench: &Workbench) -> [Run; 3] {
    let ptxas = tools().cuda("ptxas").display().to_string();
    let run = bench.weft("backend-job").args(["run", "--plan=plans/a.plan", "--module=a.bc"]);
    let run = run.args(["--import=b=b.bc", "--import=c=c.bc", "-o", "run.cubin"]);
    let option = "--Xptxas=--position-independent-code=true";
    let run = run.args([&format!("--ptxas={ptxas}"), "--profuse-inline", option]);
    let assemble = bench.assemble("k").args(["--arch=sm_90", "--Xptxas=-O1"]);
    [bench.codegen("a").arg("--profuse-inline"), assemble, run]
}

#[test]
fn a_hit_says_what_the_miss_said() {
    let bench = checkout();
    let nginx =
        Nginx::start("", "root FOLDER/files; dav_methods PUT; create_full_put_path on;", &[]);
    let cluster = RealServer::start(Casd::Newer);
    let local = format!("--cache-dir={}", bench.file("cache").display());
    let places = [
        vec!["--cache=on".to_owned(), local],
        vec![format!("--remote-cache=http://127.0.0.1:{}", nginx.port())],
        vec![format!("--remote-executor={}", cluster.url())],
        vec!["--isolated".to_owned()],
    ];
    for (number, step) in talkative(&bench).into_iter().enumerate() {
        let messages = step.succeed().stderr;
        let expected: &[&str] = match number {
            0 => &["middle"],
            1 => &[
                "backend-job: k.ptx: ptxas warning : Pragma 'nonsense' unsupported\n",
                "backend-job: k.ptx: ptxas line 12; warning : Instruction 'vote' without '.sync'",
            ],
            _ => &["middle", "backend-job: a: ptxas warning : "],
        };
        for part in expected {
            assert!(messages.contains(part), "{part} is not in {messages}");
        }
        assert!(!messages.contains("module.ptx") && !messages.contains("/tmp"), "{messages}");
        for place in &places {
            for _ in 0..2 {
                let again = step.clone().args(place.iter().cloned()).succeed().stderr;
                assert_eq!(again, messages, "{place:?}");
            }
        }
    }
}
