//! Builds whose steps run on real servers, or take their results from a server.

use weft_tests::chain::{NAMES, UNITS};
use weft_tests::{Casd, Nginx, Outcome, RealServer, Run, Workbench, tools};

/// Number of actions of a build: three summaries, one thin link, three phases of three modules.
const ACTIONS: u64 = 3 + 1 + 3 * 3;

/// Returns a checkout with compiled units.
fn checkout() -> Workbench {
    let bench = Workbench::new();
    for (name, text) in UNITS {
        bench.write(&format!("{name}.ll"), text);
        bench.compile(name);
    }
    bench
}

/// Number of results by their origin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Counts {
    kept: u64,
    found: u64,
    remote: u64,
    here: u64,
}

impl Counts {
    /// Adds the numbers that `--stats` has printed.
    fn add(&mut self, outcome: &Outcome) {
        let line = outcome.stderr.lines().find_map(|line| line.strip_prefix("results: "));
        let parts = line.unwrap_or_default().split(", ");
        for (part, sum) in
            parts.zip([&mut self.kept, &mut self.found, &mut self.remote, &mut self.here])
        {
            *sum += part.split(' ').next().and_then(|word| word.parse::<u64>().ok()).unwrap_or(0);
        }
    }
}

/// Runs all steps of Weft, each with `options`.
fn build(bench: &Workbench, options: &[&str]) -> Counts {
    build_and_list(bench, options).0
}

/// Builds as [`build`] does, and also returns the names of the steps that were executed, here or on
/// a server.
fn build_and_list(bench: &Workbench, options: &[&str]) -> (Counts, Vec<String>) {
    let (mut counts, mut ran) = (Counts::default(), Vec::new());
    let mut run = |name: String, run: Run| {
        let run = run.args(options.iter().copied()).arg("--stats");
        let before = counts;
        counts.add(&run.succeed());
        if (before.remote, before.here) != (counts.remote, counts.here) {
            ran.push(name);
        }
    };
    for name in NAMES {
        let summarize = bench.weft("summarize").args(["--module-id", name, "--bitcode"]).args([
            format!("{name}.bc"),
            "-o".to_owned(),
            format!("{name}.summary"),
            format!("{name}.o"),
        ]);
        run(format!("summarize {name}"), summarize);
    }
    let summaries = NAMES.map(|name| format!("{name}.summary"));
    // With closed modules, two units would have no code, and their jobs would be one action.
    let options = ["--has-global-host-info", "--close-modules=false", "-o", "plans"];
    let thinlink = bench.weft("thinlink").args(options);
    run("thinlink".to_owned(), thinlink.args(summaries));
    for name in NAMES {
        run(format!("import {name}"), bench.import(name, &NAMES));
        run(format!("codegen {name}"), bench.codegen(name));
        run(format!("assemble {name}"), bench.assemble(name));
    }
    (counts, ran)
}

/// Returns the artifacts of a build.
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
        // The edit is in the kernel of `a`, which no other module imports, and changes no fact of
        // the summary. So the plans stay the same, one module is rebuilt, and all other results are
        // found.
        let text = UNITS[0].1.replace("@middle(i32 7)", "@middle(i32 9)");
        assert_ne!(text, UNITS[0].1);
        other.write("a.ll", text);
        other.compile("a");
        let (counts, ran) = build_and_list(&other, &[&option]);
        assert_eq!(ran, ["summarize a", "import a", "codegen a", "assemble a"]);
        assert_eq!(counts, Counts { remote: 4, found: ACTIONS - 4, ..Counts::default() });
        // After the edit is undone, all results are known.
        other.write("a.ll", UNITS[0].1);
        other.compile("a");
        assert_eq!(build(&other, &[&option]), Counts { found: ACTIONS, ..Counts::default() });
        assert!(artifacts(&other) == artifacts(&local), "{casd:?}");
    }
}

/// Units of nvcc: a kernel that calls a function of the other unit, and one that fills a table.
const BY_NVCC: [(&str, &str); 2] = [
    (
        "reads",
        "__device__ int looked_up(int);
        __global__ void reads(int *p) { p[threadIdx.x] = looked_up(p[threadIdx.x]); }
        void launch_reads(int *p) { reads<<<1, 32>>>(p); }\n",
    ),
    (
        "fills",
        "__device__ int table[32];
        __device__ int looked_up(int at) { return table[at & 31]; }
        __global__ void fills(int *p) { table[threadIdx.x] = p[threadIdx.x]; }
        void launch_fills(int *p) { fills<<<1, 32>>>(p); }\n",
    ),
];

/// Takes units of nvcc through all phases with the option, and returns how many results came from
/// where, with the cubins.
fn build_by_nvcc(bench: &Workbench, option: &str) -> (Counts, Vec<Vec<u8>>) {
    let mut counts = Counts::default();
    let nvlink = tools().cuda("nvlink").display().to_string();
    let names = BY_NVCC.map(|(name, _)| name);
    for name in names {
        let files = ["bc", "summary", "o"].map(|kind| format!("{name}.{kind}"));
        let summarize = bench.weft("summarize").args(["--module-id", name, "--nvlink", &nvlink]);
        let summarize = summarize.args(["--bitcode", &files[0], "-o", &files[1], &files[2]]);
        counts.add(&summarize.args([option, "--stats"]).succeed());
    }
    let thinlink = bench.weft("thinlink").args(["--has-global-host-info", "-o", "plans"]);
    let thinlink = thinlink.args(names.map(|name| format!("{name}.summary")));
    counts.add(&thinlink.args([option, "--stats"]).succeed());
    for name in names {
        let import = bench.import(name, &names).args(["--nvlink", &nvlink]);
        for run in [import, bench.codegen(name), bench.assemble(name)] {
            counts.add(&run.args([option, "--stats"]).succeed());
        }
    }
    (counts, names.iter().map(|name| bench.read(&format!("{name}.cubin"))).collect())
}

#[test]
fn units_of_nvcc_are_optimized_on_clusters() {
    let local = Workbench::new();
    for (name, text) in BY_NVCC {
        local.write(&format!("{name}.cu"), text);
        let code = ["-dc", "-gencode", "arch=compute_90,code=lto_90"];
        let files = [format!("{name}.cu"), "-o".to_owned(), format!("{name}.o")];
        Run::new(tools().cuda("nvcc"), local.path()).args(code).args(files).succeed();
    }
    // nvcc puts a number of the source's path into names, so a second checkout has its objects
    // from the first one, as by a cache of the compiler's results.
    let checkout = || {
        let bench = Workbench::new();
        for (name, _) in BY_NVCC {
            let object = format!("{name}.o");
            bench.write(&object, local.read(&object));
        }
        bench
    };
    let (counts, here) = build_by_nvcc(&local, "--cache=off");
    assert_eq!(counts, Counts::default());
    for casd in Casd::ALL {
        let server = RealServer::start(casd);
        let option = format!("--remote-executor={}", server.url());
        let (counts, cubins) = build_by_nvcc(&checkout(), &option);
        assert_eq!((counts.kept, counts.found, counts.here), (0, 0, 0), "{casd:?}");
        assert!(counts.remote >= 2 + 1 + 2 + 2, "{counts:?}");
        assert!(cubins == here, "{casd:?} gives other bytes");
        let (again, cubins) = build_by_nvcc(&checkout(), &option);
        assert_eq!(again, Counts { found: counts.remote, ..Counts::default() }, "{casd:?}");
        assert!(cubins == here, "{casd:?} gives other bytes again");
    }
}

#[test]
fn builds_share_an_http_cache_and_go_on_without_it() {
    let mut nginx =
        Nginx::start("", "root FOLDER/files; dav_methods PUT; create_full_put_path on;", &[]);
    let option = format!("--remote-cache=http://127.0.0.1:{}", nginx.port());
    let one = checkout();
    // Without a local cache, the slow phases alone use the remote cache.
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
    nginx.stop();
    other.remove("a.ptx");
    let outcome = other.codegen("a").arg(&option).succeed();
    outcome.says(&["warning: going on without the remote cache: cannot reach http://127.0.0.1"]);
    assert!(artifacts(&one) == artifacts(&other));
}

#[test]
fn a_missing_cluster_is_an_error_or_the_step_runs_here_with_a_warning() {
    let bench = checkout();
    build(&bench, &[]);
    let before = artifacts(&bench);
    let mut server = RealServer::start(Casd::Newer);
    let option = format!("--remote-executor={}", server.url());
    bench.codegen("a").arg(&option).succeed();
    server.stop();
    for run in [bench.codegen("a"), bench.assemble("a")] {
        run.arg(&option).expect(4).says(&["cannot run", "remotely: cannot reach grpc://127.0.0.1"]);
    }
    bench.remove("a.ptx");
    let outcome = bench.codegen("a").args([&option, "--remote-fallback"]).succeed();
    outcome.says(&["warning: cannot run codegen a.linked.bc remotely, running it here"]);
    assert!(artifacts(&bench) == before);
}

#[test]
fn a_report_says_where_a_result_came_from_and_what_time_that_saved() {
    let bench = checkout();
    build(&bench, &[]);
    let server = RealServer::start(Casd::Newer);
    let cache = format!("--remote-cache={}", server.url());
    let executor = format!("--remote-executor={}", server.url());
    let made = |options: &[&str]| {
        bench.remove("a.cubin");
        let run = bench.assemble("a").args(options.iter().copied());
        run.args(["--report", "r.json"]).succeed();
        let report: serde_json::Value = serde_json::from_slice(&bench.read("r.json")).unwrap();
        let job = &report["jobs"][0];
        (job["origin"].as_str().unwrap().to_owned(), job["saved"].as_u64().unwrap())
    };
    assert_eq!(made(&["--cache=off"]), ("here".to_owned(), 0));
    assert_eq!(made(&[&cache]), ("here".to_owned(), 0));
    let (origin, saved) = made(&[&cache]);
    assert!(origin == "remote_cache" && saved > 0, "{origin} {saved}");
    assert_eq!(made(&[&executor, "--remote-salt=new"]), ("remote".to_owned(), 0));
}

#[test]
fn refused_settings_are_reported_without_secrets() {
    let bench = checkout();
    for (words, part) in [
        (["--remote-executor=http://u:hunter2@host", "-h1"], "grpc://"),
        (["--remote-cache=ftp://u:hunter2@host", "-h1"], "must start with"),
        (["--remote-cache=grpc://h", "--remote-header=hunter2"], "NAME=VALUE"),
        (["--remote-cache=grpc://h", "--remote-platform==hunter2"], "NAME=VALUE"),
    ] {
        let words = words.into_iter().filter(|word| *word != "-h1");
        let outcome = bench.assemble("a").args(words).expect(2);
        outcome.says(&[part]);
        assert!(!outcome.stderr.contains("hunter2"), "{}", outcome.stderr);
    }
    assert!(tools().cuda("ptxas").is_file());
}

/// Runs a shell script in `bench` with a file system of 64 KiB mounted at the folder `full`.
fn on_a_small_disk(bench: &Workbench, script: &str) -> Outcome {
    std::fs::create_dir_all(bench.file("full")).unwrap();
    let full = bench.file("full").display().to_string();
    let words = ["--dev-bind", "/", "/", "--size", "65536", "--tmpfs", &full, "sh", "-c", script];
    Run::new("bwrap", bench.path()).args(words).outcome()
}

#[test]
fn a_full_disk_here_is_an_error_that_leaves_what_was_there() {
    let bench = checkout();
    build(&bench, &[]);
    let server = RealServer::start(Casd::Newer);
    let program = tools().weft("backend-job").display().to_string();
    let fill = "echo old > full/a.ptx; cat /dev/zero > full/rest 2> full.log";
    let (url, job) = (server.url(), format!("{program} codegen a.linked.bc"));
    for from in [format!("--remote-executor={url}"), format!("--remote-cache={url}")] {
        let step = format!("{fill}; {job} {from} --cache=off -o full/a.ptx");
        let outcome =
            on_a_small_disk(&bench, &format!("{step}; echo $? $(ls -A full); cat full/a.ptx"));
        assert_eq!(outcome.stdout, "4 a.ptx rest\nold\n", "{}", outcome.stderr);
        outcome.says(&["full/a.ptx", "No space left on device"]);
    }
    // If only the local cache is on the full disk, the step prints a warning.
    let step = format!(
        "{fill}; {job} --remote-executor={url} --cache=on --cache-dir=full/cache -o b.new.ptx"
    );
    let outcome = on_a_small_disk(&bench, &format!("{step}; echo $?"));
    assert_eq!(outcome.stdout, "0\n", "{}", outcome.stderr);
    outcome.says(&["warning: cannot write the cache", "going on without it"]);
    assert!(bench.read("b.new.ptx") == bench.read("a.ptx"));
}

#[test]
fn salted_and_uncached_steps_take_nothing_old() {
    let bench = checkout();
    let server = RealServer::start(Casd::Newer);
    build(&bench, &[]);
    let option = format!("--remote-executor={}", server.url());
    let step = |words: &[&str]| {
        let run = bench.codegen("a").args([&option, "--cache=off", "--stats"]);
        run.args(words.iter().copied()).succeed()
    };
    for (words, part) in [
        (&[][..], "0 from a remote cache, 1 run remotely"),
        (&[], "1 from a remote cache, 0 run remotely"),
        (&["--remote-salt=other"], "0 from a remote cache, 1 run remotely"),
        (&["--remote-salt=other"], "1 from a remote cache, 0 run remotely"),
        (&["--remote-do-not-cache"], "0 from a remote cache, 1 run remotely"),
        (&["--remote-do-not-cache"], "0 from a remote cache, 1 run remotely"),
        (&["--remote-do-not-cache=false"], "1 from a remote cache, 0 run remotely"),
    ] {
        step(words).says(&[part]);
    }
    let outcome = bench.codegen("a").args([&option, "--remote-deadline=0"]).expect(2);
    outcome.says(&["--remote-deadline"]);
}

/// Returns all files below `folder` that hold `text`.
fn files_with(folder: &std::path::Path, text: &[u8]) -> Vec<std::path::PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files_with(&path, text));
        } else if std::fs::read(&path)
            .is_ok_and(|content| content.windows(text.len()).any(|part| part == text))
        {
            found.push(path);
        }
    }
    found
}

#[test]
fn credentials_are_nowhere_but_on_the_wire() {
    let bench = checkout();
    build(&bench, &[]);
    let mut nginx =
        Nginx::start("", "root FOLDER/files; dav_methods PUT; create_full_put_path on;", &[]);
    let address = format!("http://me:hunter2-password@127.0.0.1:{}", nginx.port());
    let cache = bench.file("cache").display().to_string();
    let step = |run: Run| {
        run.variable("WEFT_REMOTE_CACHE", &address)
            .variable("WEFT_REMOTE_HEADERS", "x-api-key=hunter2-header")
            .args(["--cache=on", "--stats", "--explain-miss", &format!("--cache-dir={cache}")])
    };
    let mut messages = String::new();
    for run in [bench.codegen("a"), bench.assemble("a"), bench.codegen("a")] {
        let outcome = step(run).succeed();
        messages += &outcome.stdout;
        messages += &outcome.stderr;
    }
    assert!(messages.contains("the remote cache has no result"), "{messages}");
    let folder = nginx.folder().to_owned();
    assert!(files_with(&folder.join("files"), b"sm_90").len() >= 2);
    assert!(files_with(&folder, b"hunter2").is_empty());
    nginx.stop();
    messages += &step(bench.codegen("c")).succeed().stderr;
    assert!(messages.contains("going on without the remote cache"), "{messages}");
    assert!(!messages.contains("hunter2"), "{messages}");
    assert!(files_with(bench.path(), b"hunter2").is_empty());
}
