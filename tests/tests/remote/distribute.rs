//! `weft distribute` as the distributor of lld's distributed ThinLTO: the bytes are those of
//! lld's own threads, and a link takes from a cache what it did before.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use weft_tests::host_program::{HostProgram, UNITS};
use weft_tests::{Casd, Nginx, Outcome, RealServer, Run, Workbench, tools};

const ALL: u64 = UNITS as u64;

fn distributed(program: &HostProgram, options: &[&str]) -> Run {
    program.distributed(&tools().weft("weft"), options)
}

/// Links with Weft, checks that the program is lld's, and returns the numbers of results that came
/// from a cache and of compilations.
fn relink(program: &HostProgram, options: &[&str]) -> (u64, u64) {
    let outcome = distributed(program, &[options, &["--stats"]].concat()).succeed();
    assert!(program.bench.read("program") == program.reference(), "{}", outcome.stderr);
    counts(&outcome)
}

/// Returns the hits and the misses of the printed table.
fn counts(outcome: &Outcome) -> (u64, u64) {
    let line = outcome.stderr.lines().find_map(|line| line.strip_prefix("compile "));
    let mut words = line.unwrap_or_default().split_whitespace();
    let mut next = || words.next().and_then(|word| word.parse().ok()).unwrap_or_default();
    (next(), next())
}

/// Returns the files below `folder`, but for programs.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { found.extend(files(&path)) } else { found.push(path) }
    }
    found.sort();
    found
}

#[test]
fn a_link_compiles_what_an_edit_reaches_and_nothing_else() {
    let one = HostProgram::new();
    let before = files(one.bench.path());
    let cache = one.bench.file("cache").display().to_string();
    let options = ["--cache=on", &format!("--cache-dir={cache}")];
    assert_eq!(relink(&one, &["--no-cache"]), (0, 0));
    assert_eq!(relink(&one, &options), (0, ALL));
    // The linker's process, whose number is in the names of the files, is another one.
    assert_eq!(relink(&one, &options), (ALL, 0));
    let programs = ["program", "reference"].map(|name| one.bench.file(name));
    let mut after = files(one.bench.path());
    after.retain(|path| !programs.contains(path) && !path.starts_with(&cache));
    assert_eq!(after, before, "the link leaves files behind");

    let other = HostProgram::new();
    assert_eq!(relink(&other, &options), (ALL, 0), "another folder");

    // Nobody imports a function that is not to be inlined.
    other.compile(6, 8);
    let explained = [&options[..], &["--explain-miss"]].concat();
    let outcome = distributed(&other, &[&explained[..], &["--stats"]].concat()).succeed();
    assert_eq!(counts(&outcome), (ALL - 1, 1));
    outcome.says(&["miss: compile out/u6.o: against the nearest earlier run, input module.o"]);
    // The two callers in a row import this one.
    other.compile(8, 8);
    assert_eq!(relink(&other, &options), (ALL - 3, 3));
    // A member of the archive, which the other member imports.
    other.compile(UNITS - 1, 8);
    let (_, compiled) = relink(&other, &options);
    assert!((2..=3).contains(&compiled), "{compiled}");
    // The cache holds results of both programs.
    for (number, constant) in [(6, 7), (8, 7), (UNITS - 1, 7)] {
        other.compile(number, constant);
    }
    assert_eq!(relink(&other, &options), (ALL, 0));
}

/// Carries out the jobs of a link one after the other, as LLVM's `local.py` does.
#[test]
fn objects_are_those_of_a_plain_loop_over_the_jobs() {
    let checkout = HostProgram::new();
    let bench = &checkout.bench;
    distributed(&checkout, &["--no-cache"]).arg("-Wl,--save-temps").succeed();
    let paths = files(bench.path());
    let is_job_file = |path: &&PathBuf| path.to_string_lossy().ends_with(".dist-file.json");
    let job_file = std::fs::read(paths.iter().find(is_job_file).unwrap()).unwrap();
    let job_file: serde_json::Value = serde_json::from_slice(&job_file).unwrap();
    let words = |value: &serde_json::Value| -> Vec<String> {
        let words = value.as_array().unwrap().iter();
        words.map(|word| word.as_str().unwrap().to_owned()).collect()
    };
    let common = words(&job_file["common"]["args"]);
    let mut members = 0;
    for job in job_file["jobs"].as_array().unwrap() {
        let [output] = &words(&job["outputs"])[..] else { panic!("{job}") };
        members += usize::from(output.contains("(m.o at "));
        let made = bench.read(output);
        bench.remove(output);
        let arguments = [&common[1..], &words(&job["args"])].concat();
        Run::new(&common[0], bench.path()).args(arguments).succeed();
        assert!(bench.read(output) == made, "{output}");
    }
    assert_eq!((job_file["jobs"].as_array().unwrap().len(), members), (UNITS, 2));
}

#[test]
fn clusters_and_remote_caches_serve_links() {
    let one = HostProgram::new();
    let server = RealServer::start(Casd::Newer);
    let executor = format!("--remote-executor={}", server.url());
    let there = [executor.as_str(), "--cache=off"];
    let remote = |checkout: &HostProgram, options: &[&str]| {
        let outcome = distributed(checkout, &[options, &["--stats"]].concat()).succeed();
        assert!(checkout.bench.read("program") == checkout.reference(), "{}", outcome.stderr);
        let sent = outcome.stderr.lines().find_map(|line| {
            line.split_once(" sent (")?.1.split_once(" bytes")?.0.parse::<u64>().ok()
        });
        let line = outcome.stderr.lines().find_map(|line| line.strip_prefix("results: "));
        (line.unwrap_or_default().to_owned(), sent.unwrap_or_default())
    };
    let told = |found: u64, ran: u64| {
        format!(
            "0 from the local cache, {found} from a remote cache, {ran} run remotely, 0 run here"
        )
    };
    // The worker's own compiler: nothing but bitcode is sent.
    let own = format!("--worker-compiler={}", tools().llvm("clang").display());
    let (line, sent) = remote(&one, &[&there[..], &[&own]].concat());
    assert_eq!(line, told(0, ALL));
    assert!(sent < 1 << 20, "{sent} bytes");
    // The compiler travels, once.
    let (line, sent) = remote(&one, &there);
    assert_eq!(line, told(0, ALL));
    assert!(sent > 1 << 26, "{sent} bytes");
    let other = HostProgram::new();
    let (line, sent) = remote(&other, &there);
    assert_eq!(line, told(ALL, 0));
    assert!(sent < 1 << 20, "{sent} bytes");

    let directives = "root FOLDER/files; dav_methods PUT; create_full_put_path on;";
    let nginx = Nginx::start("", directives, &[]);
    let cache = format!("--remote-cache=http://127.0.0.1:{}", nginx.port());
    assert_eq!(relink(&one, &["--cache=off", &cache]), (0, ALL));
    assert_eq!(relink(&other, &["--cache=off", &cache]), (ALL, 0));
}

/// Waits for a condition that must hold soon. A machine under load takes longer than a second.
fn eventually(what: &str, is_so: impl Fn() -> bool) {
    let looks = |_| {
        std::thread::sleep(Duration::from_millis(10));
        is_so()
    };
    assert!((0..2000).any(looks), "not within 20 s: {what}");
}

/// Returns the state of a process and its parent; `None` if the process has ended.
fn running(process: u32) -> Option<u32> {
    let text = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let mut fields = text.rsplit_once(')')?.1.split_whitespace();
    let state = fields.next()?;
    let parent = fields.next()?.parse().ok()?;
    (state != "Z" && state != "X").then_some(parent)
}

#[test]
fn nothing_is_left_of_a_link_that_is_killed() {
    let checkout = HostProgram::new();
    let bench = &checkout.bench;
    std::fs::create_dir(bench.file("tmp")).unwrap();
    std::fs::create_dir(bench.file("seen")).unwrap();
    let seen = bench.file("seen");
    // The compiler hangs, and so does a process that it has started.
    bench.write_script(
        "hangs",
        &format!(
            "sleep 600 &\necho $! $PPID > {0}/part.$$; mv {0}/part.$$ {0}/$$; wait",
            seen.display()
        ),
    );
    for (signal, whom) in [("KILL", "linker"), ("TERM", "distributor"), ("INT", "both")] {
        let compiler = format!("-Wl,--thinlto-remote-compiler={}", bench.file("hangs").display());
        let link = distributed(&checkout, &["--threads=3", "--cache=off"]).arg(compiler);
        let link = link.variable("TMPDIR", bench.file("tmp"));
        let thread = std::thread::spawn(move || link.outcome());
        let started = || files(&seen).iter().filter(|path| path.extension().is_none()).count();
        eventually("the compilers run", || started() == 3);
        let mut processes = Vec::new();
        let mut distributor = 0;
        for path in files(&seen) {
            processes.push(path.file_name().unwrap().to_str().unwrap().parse::<u32>().unwrap());
            let text = std::fs::read_to_string(&path).unwrap();
            let numbers: Vec<u32> =
                text.split(' ').map(|word| word.trim().parse().unwrap()).collect();
            processes.push(numbers[0]);
            distributor = numbers[1];
            std::fs::remove_file(path).unwrap();
        }
        assert!(processes.iter().all(|process| running(*process).is_some()));
        let linker = running(distributor).unwrap();
        processes.extend([distributor, linker]);
        let targets = match whom {
            "linker" => vec![linker],
            "distributor" => vec![distributor],
            _ => vec![linker, distributor],
        };
        let targets = targets.iter().map(ToString::to_string);
        Run::new("kill", "/").arg(format!("-{signal}")).args(targets).succeed();
        assert_ne!(thread.join().unwrap().code, Some(0), "{signal}");
        for process in processes {
            eventually(signal, || running(process).is_none());
        }
        eventually(signal, || {
            let left = files(&bench.file("tmp"));
            left.iter().all(|path| !path.to_string_lossy().contains("weft"))
        });
        let left = files(bench.path());
        let is_output = |path: &PathBuf| {
            let name = path.file_name().unwrap().to_string_lossy();
            name.ends_with(".native.o") || name.starts_with(".weft") || name == "program"
        };
        assert!(!left.iter().any(is_output), "{signal}: {left:?}");
    }
}

#[test]
fn a_number_of_compilers_run_at_a_time() {
    let bench = Workbench::new();
    let log = bench.file("log");
    let script =
        format!("echo + >> {0}; sleep 0.2; echo - >> {0}; cp module.o object.o", log.display());
    bench.write_script("compiler", &script);
    bench.write("a.cpp", "int a() { return 1; }");
    bench.llvm("clang++").args(["-c", "a.cpp", "-o", "a.o"]).succeed();
    let jobs: Vec<String> = (0..6)
        .map(|number| {
            format!("{{\"args\":[\"a.o\"],\"inputs\":[\"a.o\"],\"outputs\":[\"{number}.o\"]}}")
        })
        .collect();
    bench.write("jobs.json", job_file("./compiler", &jobs.join(",")));
    for threads in [1, 3] {
        let option = format!("--threads={threads}");
        bench.weft("weft").args(["distribute", &option, "jobs.json"]).succeed();
        let (mut now, mut most) = (0, 0);
        for line in String::from_utf8(bench.read("log")).unwrap().lines() {
            now = if line == "+" { now + 1 } else { now - 1 };
            most = most.max(now);
        }
        assert!(most <= threads && (most > 1) == (threads > 1), "{most} of {threads}");
        bench.remove("log");
    }
}

/// Returns a job file.
fn job_file(compiler: &str, jobs: &str) -> String {
    let common =
        format!("{{\"linker_output\":\"program\",\"args\":[\"{compiler}\",\"-c\"],\"inputs\":[]}}");
    format!("{{\"common\":{common},\"jobs\":[{jobs}]}}")
}

#[test]
fn wrong_input_is_named_and_leaves_outputs_as_they_were() {
    let bench = Workbench::new();
    bench.write("a.cpp", "int a() { return 1; }");
    bench.llvm("clang++").args(["-O1", "-flto=thin", "-c", "a.cpp", "-o", "a.o"]).succeed();
    bench.write("out.o", "before");
    bench.write_script("half", "echo half > object.o; echo no register left >&2; exit 7");
    bench.write_script("silent", "exit 0");
    bench.write_script("liar", "echo text > object.o");
    bench.write_script("lost", "kill -9 $$");
    let clang = tools().llvm("clang").display().to_string();
    let job = |arguments: &str, inputs: &str| {
        format!("{{\"args\":[{arguments}],\"inputs\":[{inputs}],\"outputs\":[\"out.o\"]}}")
    };
    let plain = job("\"a.o\",\"-o\",\"out.o\"", "\"a.o\"");
    let index = job("\"a.o\",\"-fthinlto-index=a.cpp\",\"-o\",\"out.o\"", "\"a.o\",\"a.cpp\"");
    let cases: BTreeMap<&str, (String, i32, &[&str])> = [
        ("text", ("not JSON".to_owned(), 3, &["jobs.json", "expected"][..])),
        ("empty", (String::new(), 3, &["jobs.json", "EOF"])),
        ("lack", (job_file(&clang, "{\"args\":[],\"inputs\":[]}"), 3, &["`outputs`"])),
        (
            "nothing",
            (job_file(&clang, &plain.replace("[\"out.o\"]", "[]")), 3, &["jobs[0] has no outputs"]),
        ),
        ("twice", (job_file(&clang, &format!("{plain},{plain}")), 3, &["out.o is written twice"])),
        ("compiler", (job_file("no", "").replace("\"no\",\"-c\"", ""), 3, &["names no compiler"])),
        ("gone", (job_file("/nowhere/clang", &plain), 4, &["there is no /nowhere/clang"])),
        ("missing", (job_file(&clang, &plain.replace("a.o", "b.o")), 4, &["cannot read b.o"])),
        ("index", (job_file(&clang, &index), 3, &["a.cpp: it is no bitcode"])),
        (
            "refused",
            (job_file(&clang, &plain.replace("\"-o\"", "\"--no-such\",\"-o\"")), 5, {
                &["a.o, of program", "unknown argument", "--no-such", "exit status: 1"]
            }),
        ),
        ("half", (job_file("./half", &plain), 5, &["exit status: 7", "no register left"])),
        ("silent", (job_file("./silent", &plain), 5, &["wrote no out.o"])),
        ("liar", (job_file("./liar", &plain), 5, &["a.o", "no whole object"])),
        ("lost", (job_file("./lost", &plain), 5, &["signal: 9"])),
    ]
    .into();
    for (name, (text, code, parts)) in cases {
        bench.write("jobs.json", text);
        let run = bench.weft("weft").args(["distribute", "jobs.json"]);
        let outcome = run.outcome();
        assert_eq!(outcome.code, Some(code), "{name}: {}", outcome.stderr);
        outcome.says(parts);
        assert_eq!(bench.read("out.o"), b"before", "{name}");
    }
    bench.weft("weft").args(["distribute", "none.json"]).expect(4).says(&["none.json"]);
    bench.write("jobs.json", job_file(&clang, &plain));
    let relative = ["distribute", "--worker-compiler=clang", "jobs.json"];
    bench.weft("weft").args(relative).expect(2).says(&["no absolute path"]);
    // A job without an index is compiled alone. A key of a later LLVM is named and decides nothing.
    let alone = job("\"-x\",\"ir\",\"a.o\",\"-o\",\"out.o\"", "\"a.o\"");
    let later = alone.replace("\"args\"", "\"version\":2,\"args\"");
    for (job, keys) in [(&alone, 0), (&later, 1)] {
        bench.remove("out.o");
        bench.write("jobs.json", job_file(&clang, job));
        let said = bench.weft("weft").args(["distribute", "jobs.json"]).succeed().stderr;
        let named = "jobs.json: LLVM 22 writes no jobs[].version, so it is passed over";
        assert_eq!(said.matches(named).count(), keys, "{said}");
        assert!(bench.read("out.o").starts_with(b"\x7fELF"));
    }
    // A module that imports nothing may have an empty index.
    bench.write("none", "");
    bench.write("jobs.json", job_file(&clang, &index.replace("a.cpp", "none")));
    bench.weft("weft").args(["distribute", "jobs.json"]).succeed();
    assert!(bench.read("out.o").starts_with(b"\x7fELF"));
}
