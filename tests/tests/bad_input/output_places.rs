//! Outputs to files that are not regular, and readers that stop reading: a special file stays what
//! it is, links are followed, and a closed pipe is no failure.

use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _, symlink};
use std::path::Path;

use weft_tests::chain::{NAMES, built};
use weft_tests::{Run, Workbench, tools};

const ENVIRONMENT: i32 = 4;

/// Returns one command of each executable that writes the file `made`, whose usual content is in
/// the file `usual`.
fn steps(bench: &Workbench) -> [(Run, &'static str, &'static str); 5] {
    let summarize = bench.weft("summarize").args(["--module-id", "a", "-o", "made", "a.o"]);
    let codegen = bench.weft("backend-job").args(["codegen", "a.linked.bc", "-o", "made"]);
    let thinlink = || {
        let link = bench.weft("thinlink").args(["--has-global-host-info", "-o", "out"]);
        link.args(NAMES.map(|name| format!("{name}.summary")))
    };
    [
        (summarize, "made", "a.summary"),
        (codegen, "made", "a.ptx"),
        (thinlink(), "out/a.plan", "plans/a.plan"),
        (thinlink(), "out/manifest.json", "plans/manifest.json"),
        (thinlink(), "out/decisions.weft", "plans/decisions.weft"),
    ]
}

/// Calls `check` for each step in a folder without its output.
fn for_each_step(check: impl Fn(&Workbench, &Run, &str, &str)) {
    let bench = built();
    for (run, made, usual) in steps(&bench) {
        std::fs::create_dir_all(bench.file("out")).unwrap();
        check(&bench, &run, made, usual);
        std::fs::remove_dir_all(bench.file("out")).unwrap();
        if bench.file("made").symlink_metadata().is_ok_and(|metadata| !metadata.is_dir()) {
            bench.remove("made");
        }
    }
}

fn shell(bench: &Workbench, script: &str) -> Run {
    Run::new("sh", bench.path()).args(["-c", script])
}

/// The device is a copy, since root can replace the real one.
#[test]
fn a_device_stays_a_device() {
    for_each_step(|bench, run, made, _| {
        Run::new("mknod", bench.path()).args([made, "c", "1", "3"]).succeed();
        let before = bench.file(made).symlink_metadata().unwrap();
        run.succeed();
        let after = bench.file(made).symlink_metadata().unwrap();
        assert!(after.file_type().is_char_device(), "{made}");
        assert_eq!((before.ino(), before.rdev()), (after.ino(), after.rdev()), "{made}");
        bench.remove(made);
        // A link to a device is followed, and stays a link.
        Run::new("mknod", bench.path()).args(["device", "c", "1", "3"]).succeed();
        symlink(bench.file("device"), bench.file(made)).unwrap();
        run.succeed();
        assert!(bench.file(made).symlink_metadata().unwrap().is_symlink());
        assert!(bench.file("device").symlink_metadata().unwrap().file_type().is_char_device());
        bench.remove("device");
    });
}

#[test]
fn a_full_device_is_an_error() {
    for_each_step(|bench, run, made, _| {
        Run::new("mknod", bench.path()).args([made, "c", "1", "7"]).succeed();
        run.expect(ENVIRONMENT).says(&["cannot write ", made, "No space left on device"]);
        assert!(bench.file(made).symlink_metadata().unwrap().file_type().is_char_device());
    });
}

#[test]
fn a_pipe_with_a_name_gets_the_output() {
    for_each_step(|bench, run, made, usual| {
        Run::new("mkfifo", bench.path()).arg(made).succeed();
        let pipe = bench.file(made);
        let reader = std::thread::spawn(move || std::fs::read(pipe).unwrap());
        run.succeed();
        assert!(reader.join().unwrap() == bench.read(usual), "{made}");
        assert!(bench.file(made).symlink_metadata().unwrap().file_type().is_fifo());
    });
}

#[test]
fn links_are_followed() {
    for_each_step(|bench, run, made, usual| {
        symlink(bench.file("target"), bench.file(made)).unwrap();
        // At first the target does not exist, then it has another content, then the right one.
        for before in [None, Some("other")] {
            if let Some(content) = before {
                bench.write("target", content);
            }
            run.succeed();
            assert!(bench.file(made).symlink_metadata().unwrap().is_symlink());
            assert!(bench.read("target") == bench.read(usual), "{made}");
        }
        let written = bench.file("target").metadata().unwrap().modified().unwrap();
        run.succeed();
        assert_eq!(bench.file("target").metadata().unwrap().modified().unwrap(), written);
        bench.remove("target");
    });
}

#[test]
fn a_folder_is_an_error() {
    for_each_step(|bench, run, made, _| {
        std::fs::create_dir(bench.file(made)).unwrap();
        let path = Path::new(made).file_name().unwrap().to_string_lossy().into_owned();
        run.expect(ENVIRONMENT).says(&["cannot write ", &path, "is a directory"]);
        assert_eq!(bench.file(made).read_dir().unwrap().count(), 0);
        std::fs::remove_dir(bench.file(made)).unwrap();
    });
}

#[test]
fn standard_output_can_be_named() {
    let bench = built();
    let summarize = format!("{} --module-id a a.o -o", tools().weft("summarize").display());
    let codegen = format!("{} codegen a.linked.bc -o", tools().weft("backend-job").display());
    for (command, usual) in [(summarize, "a.summary"), (codegen, "a.ptx")] {
        let usual = bench.read(usual);
        for name in ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"] {
            shell(&bench, &format!("{command} {name} > file")).succeed();
            assert!(bench.read("file") == usual, "{name}");
            shell(&bench, &format!("{command} {name} | cat > file")).succeed();
            assert!(bench.read("file") == usual, "{name}");
            // Text that other programs write into the same file is not lost.
            let script = format!("(echo before; {command} {name}; echo after) > file");
            shell(&bench, &script).succeed();
            assert!(bench.read("file") == [b"before\n", &usual[..], b"after\n"].concat(), "{name}");
            shell(&bench, &format!("echo before > file; {command} {name} >> file")).succeed();
            assert!(bench.read("file") == [b"before\n", &usual[..]].concat(), "{name}");
        }
        shell(&bench, &format!("{command} /dev/fd/5 5> file")).succeed();
        assert!(bench.read("file") == usual);
        shell(&bench, &format!("{command} /dev/stderr 2> file")).succeed();
        assert!(bench.read("file") == usual);
    }
}

/// Returns commands of each kind that print to standard output.
fn printing(bench: &Workbench) -> Vec<String> {
    bench.write("list.tsv", "a\ta.cubin\n");
    let weft = |name: &str| tools().weft(name).display().to_string();
    let [summarize, thinlink, job, people] =
        ["summarize", "thinlink", "backend-job", "weft"].map(weft);
    let mut commands = vec![
        format!("{summarize} --print a.summary"),
        format!("{summarize} --print-text a.summary"),
        format!("{summarize} --module-id a a.o -o /dev/stdout"),
        format!(
            "{thinlink} --has-global-host-info --print-imports -o out a.summary b.summary c.summary"
        ),
        format!("{people} why-live -oplans kernel"),
        format!("{people} report list.tsv"),
        format!("{people} cache stats --cache-dir cache"),
        format!("{job} codegen a.linked.bc -o /dev/stdout"),
    ];
    for executable in [summarize, thinlink, job, people] {
        for option in ["--help", "--version", "--completion bash"] {
            commands.push(format!("{executable} {option}"));
        }
    }
    commands
}

#[test]
fn a_reader_that_closes_its_pipe_is_no_failure() {
    let bench = built();
    for command in printing(&bench) {
        // The reader ends before the first byte is written.
        let script = format!("{{ sleep 0.1; {command} 2> said; echo $? > code; }} | :");
        shell(&bench, &script).succeed();
        let messages = String::from_utf8(bench.read("said")).unwrap();
        assert_eq!((bench.read("code"), messages.as_str()), (b"0\n".to_vec(), ""), "{command}");
    }
}

#[test]
fn a_full_standard_output_is_an_error() {
    let bench = built();
    for command in printing(&bench) {
        // The argument parser prints these texts, and no other program depends on them.
        if command.contains("--help") || command.contains("--version") {
            continue;
        }
        let outcome = shell(&bench, &format!("{command} > /dev/full")).expect(ENVIRONMENT);
        outcome.says(&["cannot write ", "No space left on device"]);
    }
}

/// Messages of all kinds: an error, decisions of the inliner, a table, statistics of the cache.
#[test]
fn messages_that_nobody_reads_change_nothing() {
    let bench = built();
    let weft = |name: &str| tools().weft(name).display().to_string();
    let [summarize, thinlink, job] = ["summarize", "thinlink", "backend-job"].map(weft);
    let ptxas = tools().cuda("ptxas").display().to_string();
    for (command, code) in [
        (format!("{summarize} --print missing"), "4\n"),
        (format!("{thinlink} -o out missing"), "4\n"),
        (format!("{job} codegen missing -o out.ptx"), "4\n"),
        (
            format!("{job} codegen a.linked.bc -o out.ptx --profuse-inline --stats --cache=all"),
            "0\n",
        ),
        (format!("{job} assemble --ptxas {ptxas} a.ptx -o out.cubin -v"), "0\n"),
        (format!("{thinlink} -o out a.summary b.summary c.summary --stats"), "0\n"),
    ] {
        let command = format!("WEFT_CACHE_DIR=cache {command}");
        let script = format!("{{ sleep 0.1; {command} 2>&1; echo $? > code; }} | :");
        shell(&bench, &script).succeed();
        assert_eq!(String::from_utf8(bench.read("code")).unwrap(), code, "{command}");
    }
}
