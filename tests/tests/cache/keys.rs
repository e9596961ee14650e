//! The key of a cached result covers everything that the result depends on: files that options name
//! and files that a program loads. It leaves out an environment that cannot change any byte.

use std::path::Path;

use weft_tests::chain::{self, NAMES};
use weft_tests::{Nginx, Outcome, Run, Workbench, tools};

/// Returns a checkout with PTX of module `a`.
fn checkout() -> Workbench {
    let bench = chain::imported();
    bench.codegen("a").succeed();
    bench
}

/// Makes `run` use a cache in the bench.
fn cached(bench: &Workbench, run: Run) -> Run {
    cached_in(bench, "cache", run)
}

fn cached_in(bench: &Workbench, cache: &str, run: Run) -> Run {
    let cache = bench.file(cache).display().to_string();
    run.args(["--cache=on", "--stats", "--explain-miss", &format!("--cache-dir={cache}")])
}

fn is_hit(outcome: &Outcome) -> bool {
    outcome.stderr.contains("assemble         1       0")
}

#[test]
fn files_that_options_of_ptxas_name_count_by_content() {
    let bench = checkout();
    let nginx =
        Nginx::start("", "root FOLDER/files; dav_methods PUT; create_full_put_path on;", &[]);
    let remote = format!("--remote-cache=http://127.0.0.1:{}", nginx.port());
    let absolute = bench.file("settings").display().to_string();
    let forms: [&[&str]; 6] = [
        &["--options-file", &absolute],
        &["--options-file=settings"],
        &["-optf", "settings"],
        &["-optf=settings"],
        &["--options-file=registers,settings"],
        &["--options-file=registers", "-optf=settings"],
    ];
    bench.write("registers", "--maxrregcount=40\n");
    for (number, form) in forms.into_iter().enumerate() {
        let cached = |run| cached_in(&bench, &format!("cache-{number}"), run);
        let assemble =
            || bench.assemble("a").args(form.iter().map(|option| format!("--Xptxas={option}")));
        let mut made = Vec::new();
        for settings in ["-O1\n", "--opt-level 3 -dlcm=cg\n"] {
            bench.write("settings", settings);
            assemble().arg("--no-cache").succeed();
            made.push(bench.read("a.cubin"));
            // These two runs use the remote cache alone, and the later runs use the local cache.
            for _ in 0..2 {
                assemble().args([&remote, "--cache=off"]).succeed();
                assert!(bench.read("a.cubin") == made[made.len() - 1], "{form:?} {settings}");
            }
            let first = cached(assemble()).succeed();
            assert!(!is_hit(&first), "{form:?} {settings}");
            assert!(is_hit(&cached(assemble()).succeed()), "{form:?} {settings}");
            assert!(bench.read("a.cubin") == made[made.len() - 1], "{form:?} {settings}");
        }
        assert!(made[0] != made[1], "{form:?} reaches ptxas");
    }
    let controls = |text: &str| {
        bench.write("controls", text);
        let assemble = bench.assemble("a").arg("--Xptxas=--apply-controls=controls");
        // This option takes files that only NVIDIA can make, and ptxas refuses others with this
        // message.
        assemble.expect(5).says(&["Invalid compiler controls file"]);
    };
    controls("nothing");
    let wrong = |words: &[&str]| {
        bench.assemble("a").args(words.iter().map(|word| format!("--Xptxas={word}"))).outcome()
    };
    let missing = wrong(&["-optf=nowhere"]);
    assert_eq!(missing.code, Some(4));
    missing.says(&["cannot read nowhere"]);
    // Unknown files could be read through options inside such a file, and through unknown options.
    bench.write("nested", "-O2 --options-file=settings\n");
    bench.write("other", "-O2\n\"/somewhere/more.ptx\"\n");
    for (words, message) in [
        (
            &["--options-file=nested"][..],
            "nested: it names a file itself: '--options-file=settings'",
        ),
        (&["-optf", "other"], "other: it names a file itself: '/somewhere/more.ptx'"),
        (&["/somewhere/more.ptx"], "'/somewhere/more.ptx' names a file"),
        (&["--new-option=../x"], "'--new-option=../x' names a file"),
        (&["--options-file"], "--options-file takes a file"),
    ] {
        let outcome = wrong(words);
        assert_eq!(outcome.code, Some(2), "{words:?} {}", outcome.stderr);
        outcome.says(&[message]);
    }
}

fn assemble_with(bench: &Workbench, ptxas: &Path) -> Run {
    let files = ["a.ptx", "-o", "a.cubin"];
    let run = bench.weft("backend-job").args(["assemble", "--ptxas"]).arg(ptxas).args(files);
    cached(bench, run)
}

#[test]
fn results_of_what_is_not_known_by_its_content_are_not_kept() {
    let bench = checkout();
    let real = tools().cuda("ptxas");
    let option = bench.file("option");
    let text = format!("exec {} \"$@\" \"$(cat {})\"", real.display(), option.display());
    let wrapper = bench.write_script("wrapper", &text);
    let nginx =
        Nginx::start("", "root FOLDER/files; dav_methods PUT; create_full_put_path on;", &[]);
    let remote = format!("--remote-cache=http://127.0.0.1:{}", nginx.port());
    let mut made = Vec::new();
    for level in ["-O1", "-O3"] {
        bench.write("option", level);
        for options in [&["--cache=off", &remote][..], &[]] {
            let outcome = assemble_with(&bench, &wrapper);
            let outcome = if options.is_empty() {
                outcome.succeed()
            } else {
                let run = bench.weft("backend-job").args(["assemble", "--ptxas", "./wrapper"]);
                run.args(["a.ptx", "-o", "a.cubin"]).args(options.iter().copied()).succeed()
            };
            outcome.says(&["wrapper is a script or the like", "its results are not kept"]);
            assert!(!is_hit(&outcome));
            made.push(bench.read("a.cubin"));
        }
    }
    assert!(made[0] == made[1] && made[2] == made[3] && made[0] != made[2]);

    // The loader prefers a library beside the program to the system's.
    let folder = bench.file("tools");
    std::fs::create_dir(&folder).unwrap();
    let copy = bench.write_program("tools/ptxas", std::fs::read(&real).unwrap());
    let ask = || assemble_with(&bench, &copy);
    ask().succeed();
    assert!(is_hit(&ask().succeed()));
    let libm = "/lib/x86_64-linux-gnu/libm.so.6";
    std::fs::copy(libm, folder.join("libm.so.6")).unwrap();
    let outcome = ask().succeed();
    assert!(!is_hit(&outcome));
    outcome.says(&["ptxas loads libm.so.6 from a folder of its own", "its results are not kept"]);
    std::fs::remove_file(folder.join("libm.so.6")).unwrap();
    // A link counts as its target.
    std::os::unix::fs::symlink(&copy, bench.file("link")).unwrap();
    assert!(is_hit(&assemble_with(&bench, &bench.file("link")).succeed()));
}

#[test]
fn the_environment_reaches_no_byte() {
    let bench = chain::written();
    bench.prepare(&NAMES);
    let hostile = |run: Run| {
        run.variable("LLVM_OVERRIDE_PRODUCER", "somebody else")
            .variable("LLVM_OVERRIDE_TRIPLE", "x86_64")
            .variable("NVVM_OPTIONS", "-opt=0")
            .variable("PTXAS_OPTIONS", "-O0")
            .variable("NVCC_APPEND_FLAGS", "-O0")
            .variable("LC_ALL", "tr_TR.UTF-8")
            .variable("SOURCE_DATE_EPOCH", "1")
    };
    let plain = |run: Run| run;
    let mut made = Vec::new();
    for surround in [&plain as &dyn Fn(Run) -> Run, &hostile] {
        let summarize = bench.weft("summarize").args(["--module-id=a", "--bitcode=a.own.bc"]);
        surround(summarize.args(["-o", "a.summary", "a.o"])).succeed();
        let summaries = NAMES.map(|name| format!("{name}.summary"));
        let thinlink = bench.weft("thinlink").args(["--has-global-host-info", "-o", "plans"]);
        surround(thinlink.args(summaries)).succeed();
        surround(bench.import("a", &NAMES)).succeed();
        surround(bench.codegen("a").arg("--emit=bc,ptx")).succeed();
        surround(bench.assemble("a")).succeed();
        surround(bench.weft("backend-job").args(["combine", "-o", "all.bc", "a.opt.bc"])).succeed();
        let files = [
            "a.summary",
            "a.own.bc",
            "plans/a.plan",
            "a.linked.bc",
            "a.opt.bc",
            "a.ptx",
            "a.cubin",
            "all.bc",
        ];
        made.push(files.map(|file| (file, bench.read(file))));
    }
    for (plain, hostile) in made[0].iter().zip(&made[1]) {
        assert!(plain == hostile, "{} differs", plain.0);
    }
}
