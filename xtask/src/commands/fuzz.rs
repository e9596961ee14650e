//! `cargo xtask fuzz`: looks for inputs that break a reader, with libFuzzer.
//!
//! The stable compiler instruments code for it through LLVM's own pass; no sanitizer is needed, as
//! the readers are safe code. An input that breaks a reader becomes an input of the test
//! `findings`.

use std::fs;
use std::path::{Path, PathBuf};

use dev_checkout::executables;
use dev_process::{Error, Outcome, Process, Result, while_trying};
use dev_toolchain::Scope;

/// The line in the table of commands.
pub(crate) const HELP: &str =
    "look for inputs that break a reader; --minutes N, --runs N of each, --reader NAME alone";

/// The target of the build, which is named so that build scripts are not instrumented.
const TRIPLE: &str = "x86_64-unknown-linux-gnu";
/// Instrumentation that libFuzzer reads: counters of edges, their table, and compared values.
const FLAGS: &str = "-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters \
    -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares --cfg fuzzing";
/// Maximum time in seconds that one input may take.
const PATIENCE: u32 = 10;
/// Parts of the search: maximum number of bytes of an input, and tenths of executions and of time.
/// Most inputs are short, as libFuzzer changes those far faster and in more of their bytes. The
/// limit of the others is the one that `dev_readers` states.
const PARTS: [(u32, u64); 2] = [(1 << 12, 9), (1 << 16, 1)];
/// Maximum memory of the whole program in MiB: that of a reader, and of libFuzzer itself.
const MEMORY: u32 = 1024;

/// Choice of readers, and limits of their runs.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::commands) struct Search {
    /// Minutes for all readers together.
    pub(in crate::commands) minutes: u64,
    /// Executions of each reader; 0 for as many as the time allows.
    pub(in crate::commands) runs: u64,
    /// The only reader.
    pub(in crate::commands) reader: Option<String>,
}

/// Carries out the command.
pub(crate) fn run(root: &Path, arguments: &[String]) -> Result<()> {
    search(root, &Search::parse(arguments)?).map(drop)
}

/// Runs each reader, keeps the findings, and returns the number of executions.
pub(in crate::commands) fn search(root: &Path, search: &Search) -> Result<u64> {
    let folder = root.join("target/fuzz");
    let seeds = seeds(root, &folder)?;
    let readers = readers(root, search)?;
    build(root, &folder, &readers)?;
    let seconds = search.minutes * 60 / readers.len() as u64;
    let (mut total, mut broken) = (0, Vec::new());
    for reader in &readers {
        let corpus = folder.join("corpus").join(reader);
        let found = folder.join("found").join(reader);
        for folder in [&corpus, &found] {
            fs::create_dir_all(folder).map_err(while_trying("create", folder))?;
        }
        let program = folder.join(TRIPLE).join("release").join(reader);
        let mut executed = 0;
        for (longest, tenths) in PARTS {
            let limit = |all: u64| (all * tenths).div_ceil(10);
            let outcome = Process::new(&program)
                .arg(format!("-max_total_time={}", limit(seconds).max(1)))
                .args([format!("-timeout={PATIENCE}"), format!("-rss_limit_mb={MEMORY}")])
                .arg(format!("-max_len={longest}"))
                .args((search.runs > 0).then(|| format!("-runs={}", limit(search.runs))))
                .args(["-print_final_stats=1", "-verbosity=0", "-seed=1"])
                .arg(format!("-artifact_prefix={}/", found.display()))
                .args([&corpus, &seeds.join(reader)])
                .outcome()?;
            executed += executions(&outcome.stderr);
            if !outcome.success {
                broken.push(keep(root, reader, &found, &outcome)?);
            }
        }
        println!("executions {reader} {executed}");
        total += executed;
    }
    println!("metric strain.fuzz_readers {}", readers.len());
    println!("metric strain.fuzz_executions {total}");
    println!("metric strain.fuzz_findings {}", broken.len());
    if broken.is_empty() { Ok(total) } else { Err(Error::new(broken.join("\n"))) }
}

/// Returns the folder with the real files of each reader, which a test makes.
fn seeds(root: &Path, folder: &Path) -> Result<PathBuf> {
    let seeds = folder.join("seeds");
    let toolchain = dev_toolchain::ensure(root, Scope::Tests)?;
    executables::build_for_tests(root, &toolchain)?;
    Process::new("cargo")
        .args(["test", "--workspace", "--locked", "--test", "objects", "readers::"])
        .variables(toolchain.environment())
        .variable("WEFT_SEEDS", &seeds)
        .directory(root)
        .output(&seeds)
        .run()?;
    Ok(seeds)
}

/// Returns the names of the readers, each of which is the name of a fuzz target.
fn readers(root: &Path, search: &Search) -> Result<Vec<String>> {
    let folder = root.join("fuzz/fuzz_targets");
    let entries = fs::read_dir(&folder).map_err(while_trying("list", &folder))?;
    let paths = entries.flatten().map(|entry| entry.path());
    let mut names: Vec<String> =
        paths.filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned())).collect();
    names.sort();
    if let Some(only) = &search.reader {
        names.retain(|name| name == only);
    }
    if names.is_empty() { Err(Error::usage("there is no such reader")) } else { Ok(names) }
}

fn build(root: &Path, folder: &Path, readers: &[String]) -> Result<()> {
    let programs = readers.iter().flat_map(|reader| ["--bin", reader]);
    Process::new("cargo")
        .args([
            "build",
            "--release",
            "--locked",
            "--target",
            TRIPLE,
            "--manifest-path",
            "fuzz/Cargo.toml",
        ])
        .arg("--target-dir")
        .arg(folder)
        .args(programs)
        .variable("RUSTFLAGS", FLAGS)
        .directory(root)
        .run()
}

/// Copies the inputs that broke a reader to those of the test `findings`, and returns the text of
/// the failure.
fn keep(root: &Path, reader: &str, found: &Path, outcome: &Outcome) -> Result<String> {
    let inputs = root.join("dev/readers/inputs").join(reader);
    fs::create_dir_all(&inputs).map_err(while_trying("create", &inputs))?;
    let entries = fs::read_dir(found).map_err(while_trying("list", found))?;
    for path in entries.flatten().map(|entry| entry.path()) {
        // The name states the kind of the finding and a digest of the input.
        let Some(name) = path.file_name() else { continue };
        let kept = inputs.join(name);
        fs::copy(&path, &kept).map_err(while_trying("write", &kept))?;
        fs::remove_file(&path).map_err(while_trying("remove", &path))?;
        println!("kept {}", kept.display());
    }
    let lines: Vec<&str> = outcome.stderr.lines().collect();
    let last = lines.len().saturating_sub(40);
    Ok(format!("{reader} is broken:\n{}", lines[last..].join("\n")))
}

/// Returns the number of executions that libFuzzer states.
fn executions(text: &str) -> u64 {
    let line = text.lines().find_map(|line| line.strip_prefix("stat::number_of_executed_units:"));
    line.and_then(|number| number.trim().parse().ok()).unwrap_or_default()
}

impl Search {
    fn parse(arguments: &[String]) -> Result<Self> {
        let mut search = Self { minutes: 10, runs: 0, reader: None };
        for pair in arguments.chunks(2) {
            let wrong = || {
                let usage = "fuzz takes [--minutes N] [--runs N] [--reader NAME]";
                Error::usage(format!("{usage}, got {pair:?}"))
            };
            let [name, value] = pair else { return Err(wrong()) };
            match name.as_str() {
                "--minutes" => search.minutes = value.parse().map_err(|_| wrong())?,
                "--runs" => search.runs = value.parse().map_err(|_| wrong())?,
                "--reader" => search.reader = Some(value.clone()),
                _ => return Err(wrong()),
            }
        }
        Ok(search)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_come_in_any_order() {
        let parse = |line: &str| {
            let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
            Search::parse(&words)
        };
        assert_eq!(parse("").unwrap(), Search { minutes: 10, runs: 0, reader: None });
        let expected = Search { minutes: 3, runs: 9, reader: Some("plan".to_owned()) };
        assert_eq!(parse("--runs 9 --reader plan --minutes 3").unwrap(), expected);
        for wrong in ["--minutes", "--minutes x", "--run 1", "5"] {
            assert_eq!(parse(wrong).unwrap_err().exit_code(), 2, "{wrong}");
        }
    }

    #[test]
    fn executions_are_what_libfuzzer_states() {
        let text = "Done 3 runs\nstat::number_of_executed_units: 42\nstat::peak_rss_mb: 1\n";
        assert_eq!(executions(text), 42);
        assert_eq!(executions("nothing"), 0);
    }
}
