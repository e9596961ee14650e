//! The built executable: exit codes, messages, and what it writes.

use std::error::Error;
use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::Duration;

use weft_artifact::Linkage::External;
use weft_artifact::{Artifact as _, SummaryFile};

use crate::support::{Module, TestResult};

pub(crate) fn thinlink(folder: &Path, arguments: &[&str]) -> Result<Output, Box<dyn Error>> {
    run(Path::new(env!("CARGO_BIN_EXE_thinlink")), folder, arguments)
}

/// Runs `weft`, which answers questions about links. It is beside the thin link's executable, as
/// for users.
pub(crate) fn weft(folder: &Path, arguments: &[&str]) -> Result<Output, Box<dyn Error>> {
    let program = Path::new(env!("CARGO_BIN_EXE_thinlink")).with_file_name("weft");
    if !program.is_file() {
        let message = format!("{} is missing: cargo build --package weft", program.display());
        return Err(message.into());
    }
    run(&program, folder, arguments)
}

#[expect(clippy::disallowed_methods, reason = "this test is about the executable itself")]
fn run(program: &Path, folder: &Path, arguments: &[&str]) -> Result<Output, Box<dyn Error>> {
    Ok(Command::new(program).args(arguments).current_dir(folder).output()?)
}

/// A folder with the modules' summaries in it.
pub(crate) fn folder(modules: &[Module]) -> Result<tempfile::TempDir, Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    for module in modules {
        let unit = module.build()?;
        fs::write(folder.path().join(unit.path), SummaryFile::from(unit.summary).encode()?)?;
    }
    Ok(folder)
}

pub(crate) fn text(bytes: &[u8]) -> std::borrow::Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}

/// The command fails with `code`, says all of `words`, and leaves no output behind.
fn assert_fails(folder: &Path, arguments: &[&str], code: i32, words: &[&str]) -> TestResult {
    let output = thinlink(folder, arguments)?;
    let stderr = text(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "thinlink {arguments:?}: {stderr}");
    for word in words {
        assert!(stderr.contains(word), "thinlink {arguments:?} does not say {word:?}: {stderr}");
    }
    assert!(!folder.join("out").exists(), "thinlink {arguments:?} wrote something");
    Ok(())
}

fn program() -> [Module; 2] {
    [
        Module::new("a.cu").launched("k", &["f"]).kernel("dead", &[]),
        Module::new("b.cu").function("f", External, &[]),
    ]
}

#[test]
fn what_follows_a_boolean_is_a_summary() -> TestResult {
    let folder = folder(&program())?;
    for boolean in [
        "--devirtualize",
        "--propagate-attrs",
        "--compute-dead",
        "--import-constants-with-refs",
        "--import-by-budget",
        "--ftz",
    ] {
        let output =
            thinlink(folder.path(), &["-o", "out", boolean, "a.cu.summary", "b.cu.summary"])?;
        assert!(output.status.success(), "{boolean}: {}", text(&output.stderr));
        assert!(folder.path().join("out/a.cu.plan").exists(), "{boolean}");
        fs::remove_dir_all(folder.path().join("out"))?;
    }
    assert_fails(folder.path(), &["-o", "out", "--devirtualize=a.cu.summary"], 2, &["a.cu.summary"])
}

#[test]
fn plans_and_manifest_are_written_and_left_alone_when_equal() -> TestResult {
    let folder = folder(&program())?;
    let arguments = ["-o", "out", "--has-global-host-info", "a.cu.summary", "b.cu.summary"];
    let output = thinlink(folder.path(), &arguments)?;
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(output.stdout.is_empty() && output.stderr.is_empty());
    let paths =
        ["a.cu.plan", "b.cu.plan", "manifest.json"].map(|n| folder.path().join("out").join(n));
    let read = || paths.iter().map(fs::read).collect::<Result<Vec<_>, _>>();
    let written =
        || paths.iter().map(|path| fs::metadata(path)?.modified()).collect::<Result<Vec<_>, _>>();
    let (content, times) = (read()?, written()?);

    let permuted =
        ["b.cu.summary", "a.cu.summary", "-o", "out", "--has-global-host-info", "--threads=1"];
    assert!(thinlink(folder.path(), &permuted)?.status.success());
    assert_eq!(read()?, content);
    assert_eq!(written()?, times);
    Ok(())
}

#[test]
fn a_response_file_stands_for_its_lines() -> TestResult {
    let folder = folder(&program())?;
    fs::write(folder.path().join("list"), "a.cu.summary\n\nb.cu.summary\n")?;
    fs::write(folder.path().join("empty"), "\n")?;
    assert_fails(folder.path(), &["-oout", "@empty"], 2, &["no summaries"])?;
    assert_fails(folder.path(), &["-oout", "@missing"], 4, &["cannot read response file missing"])?;
    let output = thinlink(folder.path(), &["-o", "out", "@list"])?;
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(folder.path().join("out/b.cu.plan").exists());
    Ok(())
}

#[test]
fn a_wrong_command_line_is_a_usage_error() -> TestResult {
    let folder = folder(&program())?;
    assert_fails(folder.path(), &["-o", "out"], 2, &["SUMMARY"])?;
    assert_fails(folder.path(), &["a.cu.summary"], 2, &["--output-dir"])?;
    for factor in ["1.5", "-1", "NaN", "much"] {
        let option = format!("--import-instr-evolution-factor={factor}");
        assert_fails(folder.path(), &["-oout", &option, "a.cu.summary"], 2, &[factor])?;
    }
    for multiplier in ["-0.5", "NaN", "inf", "much"] {
        let option = format!("--import-hot-multiplier={multiplier}");
        assert_fails(folder.path(), &["-oout", &option, "a.cu.summary"], 2, &[multiplier])?;
    }
    Ok(())
}

#[test]
fn a_file_that_cannot_be_read_is_named() -> TestResult {
    let folder = folder(&program())?;
    let arguments = ["-oout", "a.cu.summary", "missing.summary"];
    assert_fails(folder.path(), &arguments, 4, &["cannot read missing.summary: "])
}

#[test]
fn a_file_that_is_no_summary_is_named_with_the_reason() -> TestResult {
    let folder = folder(&program())?;
    let mut damaged = fs::read(folder.path().join("a.cu.summary"))?;
    damaged.pop();
    for (content, reason) in [
        (&b"hello"[..], "not a Weft summary"),
        (&damaged, "damaged summary"),
        (&damaged[..30], "truncated summary"),
    ] {
        fs::write(folder.path().join("bad.summary"), content)?;
        let arguments = ["-oout", "b.cu.summary", "bad.summary"];
        assert_fails(folder.path(), &arguments, 3, &["bad.summary", reason])?;
    }
    Ok(())
}

#[test]
fn summaries_that_contradict_each_other_are_named() -> TestResult {
    let clash = Module::new("clash.cu").function("f", External, &[]);
    let other = Module::new("other.cu").architecture("sm_80").function("g", External, &[]);
    let [a, b] = program();
    let folder = folder(&[a, b, clash, other])?;
    fs::copy(folder.path().join("a.cu.summary"), folder.path().join("copy.summary"))?;
    let fails = |files: [&str; 2], words: &[&str]| {
        assert_fails(folder.path(), &["-oout", files[0], files[1]], 3, &[&files, words].concat())
    };
    fails(["b.cu.summary", "clash.cu.summary"], &["both define 'f'"])?;
    fails(["a.cu.summary", "copy.summary"], &["module 'a.cu'"])?;
    fails(["a.cu.summary", "other.cu.summary"], &["architecture", "sm_90", "sm_80"])
}

#[test]
fn an_output_folder_that_cannot_be_made_is_an_environment_error() -> TestResult {
    let folder = folder(&program())?;
    fs::write(folder.path().join("file"), "")?;
    let output = thinlink(folder.path(), &["-o", "file", "a.cu.summary", "b.cu.summary"])?;
    assert_eq!(output.status.code(), Some(4));
    assert!(text(&output.stderr).contains(OsStr::new("cannot write file").to_str().unwrap_or("")));
    Ok(())
}

#[test]
fn a_file_of_several_summaries_is_several_modules() -> TestResult {
    let folder = tempfile::tempdir()?;
    let summaries = |modules: &[Module]| -> Result<SummaryFile, Box<dyn Error>> {
        let units = crate::support::units(modules)?;
        Ok(SummaryFile { summaries: units.into_iter().map(|unit| unit.summary).collect() })
    };
    let members = [
        Module::new("lib.a/a.o").function("f", External, &["g"]),
        Module::new("lib.a/b.o").function("g", External, &[]),
        Module::new("lib.a/host.o"),
    ];
    fs::write(folder.path().join("lib.summary"), summaries(&members)?.encode()?)?;
    let output = thinlink(folder.path(), &["-o", "out", "lib.summary"])?;
    assert!(output.status.success());
    for member in ["a.o", "b.o"] {
        assert!(folder.path().join(format!("out/lib.a/{member}.plan")).is_file(), "{member}");
    }
    assert!(!folder.path().join("out/lib.a/host.o.plan").exists());

    let again = [Module::new("c.cu").function("g", External, &[])];
    fs::write(folder.path().join("c.summary"), summaries(&again)?.encode()?)?;
    let output = thinlink(folder.path(), &["-o", "out", "lib.summary", "c.summary"])?;
    let message = String::from_utf8(output.stderr)?;
    let expected = "c.summary and lib.summary(lib.a/b.o) both define 'g'";
    assert!(message.contains(expected), "{message}");
    Ok(())
}

/// A link that waits for its input, a pipe, has all of its threads already.
#[test]
#[expect(clippy::disallowed_methods, reason = "this test is about the executable itself")]
fn as_many_threads_work_as_the_command_line_says() -> TestResult {
    let folder = tempfile::tempdir()?;
    Command::new("mkfifo").arg("1.summary").current_dir(folder.path()).status()?;
    let names: Vec<String> = (1..=4).map(|number| format!("{number}.summary")).collect();
    for name in &names[1..] {
        fs::hard_link(folder.path().join("1.summary"), folder.path().join(name))?;
    }
    // Reading the pipe waits until its last writer closes it.
    let open = || fs::File::options().read(true).write(true).open(folder.path().join("1.summary"));
    for (threads, summaries, expected) in [(1, 4, 1), (3, 4, 3), (20_000, 4, 4), (20_000, 2, 2)] {
        let pipe = open()?;
        let mut link = Command::new(env!("CARGO_BIN_EXE_thinlink"))
            .args(["-o", "out", &format!("--threads={threads}")])
            .args(&names[..summaries])
            .current_dir(folder.path())
            .stderr(Stdio::null())
            .spawn()?;
        let tasks = format!("/proc/{}/task", link.id());
        let count = || fs::read_dir(&tasks).map_or(0, Iterator::count);
        for _ in 0..1000 {
            if count() >= expected {
                break;
            }
            thread::sleep(Duration::from_millis(10));
        }
        // Threads that are too many would start at once.
        thread::sleep(Duration::from_millis(100));
        let count = count();
        link.kill()?;
        link.wait()?;
        drop(pipe);
        assert_eq!(count, expected, "{threads} threads, {summaries} summaries");
    }
    Ok(())
}
