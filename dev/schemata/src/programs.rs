//! Programs of tests, and the tests in them.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use dev_checkout::copy::Checkout;
use dev_checkout::test_programs::{BUILD, TestProgram};
use dev_process::{Error, Process, Result, Stopwatch, while_trying};

use crate::check::FLAGS;

/// Memory that a program may ask for, in bytes. A mutant may ask for all there is.
const MEMORY: &str = "--as=17179869184";

/// A program with tests.
#[derive(Clone, Debug)]
pub(crate) struct Program(TestProgram);

/// A test, what it costs, and the mutants whose places it reaches.
#[derive(Clone, Debug)]
pub(crate) struct Test {
    pub(crate) program: usize,
    pub(crate) name: String,
    pub(crate) seconds: f64,
    pub(crate) reaches: BTreeSet<usize>,
}

/// Builds programs of tests. `words` are arguments of cargo that choose them.
pub(crate) fn build(checkout: &Checkout, words: &[&str]) -> Result<Vec<Program>> {
    let arguments: Vec<_> = BUILD.into_iter().chain(words.iter().copied()).collect();
    let outcome = checkout.cargo(&arguments).variable(FLAGS.0, FLAGS.1).outcome()?;
    if !outcome.success {
        return Err(Error::new(outcome.stderr));
    }
    Ok(outcome.stdout.lines().filter_map(TestProgram::of_message).map(Program).collect())
}

/// Probes the tests whose names do not contain `left_out`, in the order of programs and tests.
pub(crate) fn probe_all(
    programs: &[Program],
    left_out: &str,
    temporary: &Path,
) -> Result<Vec<Test>> {
    let mut names = Vec::new();
    for (number, program) in programs.iter().enumerate() {
        let all = program.tests(temporary)?.into_iter();
        names.extend(all.filter(|name| !name.contains(left_out)).map(|name| (number, name)));
    }
    let next = AtomicUsize::new(0);
    let probe_some = |folder: &Path| {
        fs::create_dir_all(folder).map_err(while_trying("create", folder))?;
        let mut tests = Vec::new();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some((program, name)) = names.get(at) else { break Ok(tests) };
            tests.push((at, programs[*program].probe(*program, name, folder)?));
        }
    };
    let workers = thread::available_parallelism().map_or(1, usize::from);
    let probed = thread::scope(|scope| {
        let start = |worker: usize| {
            let folder = temporary.join(format!("probe-{worker}"));
            scope.spawn(move || probe_some(&folder))
        };
        let threads: Vec<_> = (0..workers).map(start).collect();
        let ended = |thread: thread::ScopedJoinHandle<'_, _>| {
            thread.join().unwrap_or_else(|_| Err(Error::new("a thread of the probes panicked")))
        };
        threads.into_iter().map(ended).collect::<Result<Vec<Vec<_>>>>()
    });
    let mut tests: Vec<(usize, Test)> = probed?.into_iter().flatten().collect();
    tests.sort_by_key(|(at, _)| *at);
    Ok(tests.into_iter().map(|(_, test)| test).collect())
}

impl Program {
    /// Folder of the package.
    pub(crate) fn folder(&self) -> &Path {
        &self.0.folder
    }

    /// A command that runs the program for no longer than `seconds`, of which each process may
    /// compute for `processor` seconds.
    fn command(&self, seconds: f64, processor: f64, temporary: &Path) -> Process {
        Process::new("prlimit")
            .args([MEMORY.to_owned(), format!("--cpu={:.0}", processor.ceil())])
            .args(["timeout", "--kill-after=5"])
            .arg(format!("{:.0}", seconds.ceil()))
            .arg(&self.0.executable)
            .variable("TMPDIR", temporary)
            .directory(&self.0.folder)
            .quietly()
    }

    /// The names of its tests.
    pub(crate) fn tests(&self, temporary: &Path) -> Result<Vec<String>> {
        let list =
            self.command(60.0, 60.0, temporary).args(["--list", "--format=terse"]).capture()?;
        let names = list.lines().filter_map(|line| line.strip_suffix(": test"));
        Ok(names.map(str::to_owned).collect())
    }

    /// Runs one test without a mutant, and finds the places that it reaches.
    pub(crate) fn probe(&self, program: usize, name: &str, temporary: &Path) -> Result<Test> {
        let reached = temporary.join("reached");
        // Some tests start the executables as other users.
        fs::write(&reached, "").map_err(while_trying("write", &reached))?;
        fs::set_permissions(&reached, fs::Permissions::from_mode(0o666))
            .map_err(while_trying("open to all users", &reached))?;
        let watch = Stopwatch::start();
        self.command(600.0, 600.0, temporary)
            .args(["--exact", name])
            .variable("WEFT_MUTANTS_REACHED", &reached)
            .capture()?;
        let seconds = watch.seconds();
        let numbers = fs::read_to_string(&reached).map_err(while_trying("read", &reached))?;
        let numbers = numbers.lines().filter_map(|line| line.parse().ok());
        Ok(Test { program, name: name.to_owned(), seconds, reaches: numbers.collect() })
    }

    /// Whether some of these tests fails with a mutant, or does not end.
    pub(crate) fn notices(
        &self,
        tests: &[(usize, &Test)],
        mutant: usize,
        temporary: &Path,
    ) -> Result<bool> {
        let seconds: f64 = tests.iter().map(|(_, test)| test.seconds).sum();
        let outcome = self
            // Most of those that do not end compute. The others wait, and so do sound ones where
            // the machine has other work.
            .command(20.0 + 10.0 * seconds, 3.0 + 4.0 * seconds, temporary)
            .args(["--exact", "--test-threads=1"])
            .args(tests.iter().map(|(_, test)| &test.name))
            .variable("WEFT_MUTANT", mutant.to_string())
            .outcome()?;
        Ok(!outcome.success)
    }
}
