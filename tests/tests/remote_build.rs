//! Builds whose steps run on real servers, or take their results from there.

#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use weft_tests::{Casd, Nginx, Outcome, RealServer, Run, Workbench, tools};

const UNITS: [(&str, &str); 3] = [
    ("a", include_str!("../scenarios/chain/a.ll")),
    ("b", include_str!("../scenarios/chain/b.ll")),
    ("c", include_str!("../scenarios/chain/c.ll")),
];
const NAMES: [&str; 3] = ["a", "b", "c"];

/// Actions of a build: three summaries, one thin link, three phases of three modules.
const ACTIONS: u64 = 3 + 1 + 3 * 3;

/// A checkout with compiled units.
fn checkout() -> Workbench {
    let bench = Workbench::new();
    for (name, text) in UNITS {
        bench.write(&format!("{name}.ll"), text);
        bench.compile(name);
    }
    bench
}

/// How often results came from where.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Counts {
    kept: u64,
    found: u64,
    remote: u64,
    here: u64,
}

impl Counts {
    /// Adds what `--stats` has printed.
    fn add(&mut self, outcome: &Outcome) {
        let line = outcome.stderr.lines().find_map(|line| line.strip_prefix("results: "));
        let parts = line.unwrap_or_default().split(", ");
        for (part, sum) in
            parts.zip([&mut self.kept, &mut self.found, &mut self.remote, &mut self.here])
        {
            *sum += part.split(' ').next().and_then(|it| it.parse::<u64>().ok()).unwrap_or(0);
        }
    }
}

/// All steps of Weft, each with `options`.
fn build(bench: &Workbench, options: &[&str]) -> Counts {
    let mut counts = Counts::default();
    let mut run = |run: Run| {
        let run = run.args(options.iter().copied()).arg("--stats");
        counts.add(&run.succeed());
    };
    for name in NAMES {
        let summarize = bench.weft("summarize").args(["--module-id", name, "--bitcode"]).args([
            format!("{name}.bc"),
            "-o".to_owned(),
            format!("{name}.summary"),
            format!("{name}.o"),
        ]);
        run(summarize);
    }
    let summaries = NAMES.map(|name| format!("{name}.summary"));
    run(bench.weft("thinlink").args(["--has-global-host-info", "-o", "plans"]).args(summaries));
    for name in NAMES {
        run(bench.import(name, &NAMES));
        run(bench.codegen(name));
        run(bench.assemble(name));
    }
    counts
}

/// What a build leaves.
fn artifacts(bench: &Workbench) -> Vec<Vec<u8>> {
    let of = |name: &str| {
        ["summary", "linked.bc", "ptx", "cubin"].map(|kind| bench.read(&format!("{name}.{kind}")))
    };
    let mut all: Vec<_> = NAMES.iter().flat_map(|name| of(name)).collect();
    all.extend(NAMES.map(|name| bench.read(&format!("plans/{name}.plan"))));
    all.push(bench.read("plans/manifest.json"));
    all
}

#[test]
fn builds_run_on_clusters_and_are_shared() {
    let local = checkout();
    assert_eq!(build(&local, &[]), Counts::default());
    for casd in Casd::ALL {
        let server = RealServer::start(casd);
        let option = format!("--remote-executor={}", server.url());
        let one = checkout();
        let expected = Counts { remote: ACTIONS, ..Counts::default() };
        assert_eq!(build(&one, &[&option]), expected, "{casd:?}");
        assert!(artifacts(&one) == artifacts(&local), "{casd:?} gives other bytes");
        let other = checkout();
        let expected = Counts { found: ACTIONS, ..Counts::default() };
        assert_eq!(build(&other, &[&option]), expected, "{casd:?}");
        assert!(artifacts(&other) == artifacts(&local), "{casd:?} gives other bytes again");
        // The kernel of `a`, which no other module imports: its summary, the thin link that reads
        // that, and the job. The other jobs are asked for again and there.
        let text = UNITS[0].1.replace("@middle(i32 7)", "@middle(i32 9)");
        assert_ne!(text, UNITS[0].1);
        other.write("a.ll", text);
        other.compile("a");
        let counts = build(&other, &[&option]);
        assert!(counts.remote >= 4 && counts.remote <= 5, "{casd:?}: {counts:?}");
        assert_eq!(counts.found + counts.remote, ACTIONS, "{casd:?}: {counts:?}");
    }
}

#[test]
fn an_http_cache_is_shared_and_its_end_ends_no_build() {
    let nginx =
        Nginx::start("", "root FOLDER/files; dav_methods PUT; create_full_put_path on;", &[]);
    let option = format!("--remote-cache=http://127.0.0.1:{}", nginx.port());
    let one = checkout();
    // The phases that take long, without a local cache.
    assert_eq!(build(&one, &[&option]), Counts::default());
    let other = checkout();
    assert_eq!(build(&other, &[&option]), Counts { found: 6, ..Counts::default() });
    assert!(artifacts(&one) == artifacts(&other));
    other.codegen("a").args([&option, "--no-cache"]).expect(2).says(&["--no-cache"]);
    let by_variable =
        |run: Run| run.variable("WEFT_REMOTE_CACHE", option.split_once('=').unwrap().1);
    let outcome = by_variable(other.codegen("a")).arg("--stats").succeed();
    outcome.says(&["1 from a remote cache"]);
    let outcome = by_variable(other.codegen("a")).args(["--stats", "--no-cache"]).succeed();
    outcome.says(&["the cache was not used"]);
    drop(nginx);
    other.remove("a.ptx");
    let outcome = other.codegen("a").arg(&option).succeed();
    outcome.says(&["warning: going on without the remote cache: cannot reach http://127.0.0.1"]);
    assert!(artifacts(&one) == artifacts(&other));
}

#[test]
fn a_cluster_that_is_gone_is_an_error_or_said_and_done_here() {
    let bench = checkout();
    build(&bench, &[]);
    let before = artifacts(&bench);
    let server = RealServer::start(Casd::Newer);
    let option = format!("--remote-executor={}", server.url());
    bench.codegen("a").arg(&option).succeed();
    drop(server);
    for run in [bench.codegen("a"), bench.assemble("a")] {
        run.arg(&option).expect(4).says(&["cannot run", "remotely: cannot reach grpc://127.0.0.1"]);
    }
    bench.remove("a.ptx");
    let outcome = bench.codegen("a").args([&option, "--remote-fallback"]).succeed();
    outcome.says(&["warning: cannot run codegen a.linked.bc remotely, running it here"]);
    assert!(artifacts(&bench) == before);
}

#[test]
fn what_cannot_be_followed_is_said_without_secrets() {
    let bench = checkout();
    for (words, part) in [
        (["--remote-executor=http://u:hunter2@host", "-h1"], "grpc://"),
        (["--remote-cache=ftp://u:hunter2@host", "-h1"], "must start with"),
        (["--remote-cache=grpc://h", "--remote-header=hunter2"], "NAME=VALUE"),
        (["--remote-cache=grpc://h", "--remote-platform==hunter2"], "NAME=VALUE"),
    ] {
        let words = words.into_iter().filter(|it| *it != "-h1");
        let outcome = bench.assemble("a").args(words).expect(2);
        outcome.says(&[part]);
        assert!(!outcome.stderr.contains("hunter2"), "{}", outcome.stderr);
    }
    assert!(tools().cuda("ptxas").is_file());
}
