//! Tries all mutants of packages in one build, which is known as mutant schemata: each mutant
//! stands behind a switch, and a variable of the environment turns one of them on.
//!
//! cargo-mutants lists the mutants and would build the package for each. Here the build takes place
//! once, and a mutant is tried by the tests that reach its place alone. Arguments: the root of the
//! workspace, the file with the list, the file for the results, and programs of end-to-end tests
//! beside the packages' own. A run goes on where the file of results ends.

mod check;
mod edit;
mod mutant;
mod places;
mod programs;
mod reasons;
mod trial;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::ExitCode;

use dev_checkout::copy::Checkout;
use dev_process::{Error, Result, while_trying};

use mutant::{Fate, Mutant};
use programs::Program;
use reasons::Reasons;

/// Tests that take minutes with every mutant.
const LEFT_OUT: &str = "extremes";

/// Mutants after which the results are written.
const REPORTED: usize = 20;
/// Step of the mixed order.
const STEP: usize = 1_000_003;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    dev_process::ended(match &words[..] {
        [root, list, results, programs @ ..] => {
            run(Path::new(root), Path::new(list), Path::new(results), programs)
        }
        _ => Err(Error::usage("usage: dev-schemata ROOT LIST RESULTS [PROGRAM...]")),
    })
}

fn run(root: &Path, list: &Path, results: &Path, end_to_end: &[String]) -> Result<()> {
    let reasons = root.join(reasons::FILE);
    let reasons = fs::read_to_string(&reasons).map_err(while_trying("read", &reasons))?;
    let reasons = Reasons::read(&reasons)?;
    let text = fs::read(list).map_err(while_trying("read", list))?;
    let mut mutants = Mutant::read(&text).map_err(|error| Error::new(error.to_string()))?;
    mutants.sort_by(Mutant::by_place);
    let folders = folders(&mutants);
    let place = root.join("target/mutants");
    let temporary = place.join("temporary");
    fs::create_dir_all(&temporary).map_err(while_trying("create", &temporary))?;
    let checkout = Checkout::update(root, &place, &check::own_files(&mutants, &folders))?;
    let mut fates = known(results, &mutants);
    check::switch_all(root, &checkout, &mutants, &folders, &mut fates)?;
    let mut trials = Trials { mutants: &mutants, fates, results, temporary: &temporary };
    trials.write()?;
    let packages: Vec<_> = folders.keys().flat_map(|package| ["-p", package]).collect();
    let mut programs = programs::build(&checkout, &packages)?;
    if !end_to_end.is_empty() {
        let executables = ["build", "--locked", "-p", "summarize", "-p", "thinlink"];
        let executables = [&executables[..], &["-p", "backend-job"]].concat();
        checkout.cargo(&executables).variable(check::FLAGS.0, check::FLAGS.1).run()?;
        let chosen = end_to_end.iter().flat_map(|name| ["--test", name]);
        let words: Vec<_> = ["-p", "weft-tests"].into_iter().chain(chosen).collect();
        programs.extend(programs::build(&checkout, &words)?);
    }
    trials.carry_out(&programs)?;
    trials.print(&reasons);
    Ok(())
}

/// Returns the fates that an interrupted run left in the file of results, by the mutants' numbers.
fn known(results: &Path, mutants: &[Mutant]) -> BTreeMap<usize, Fate> {
    let text = fs::read_to_string(results).unwrap_or_default();
    let lines = text.lines().filter_map(|line| line.split_once('\t'));
    let words: BTreeMap<&str, &str> = lines.map(|(word, name)| (name, word)).collect();
    let fate = |mutant: &Mutant| Fate::of_word(words.get(mutant.name.as_str())?);
    (1..).zip(mutants).filter_map(|(number, mutant)| Some((number, fate(mutant)?))).collect()
}

/// The folder of each package.
fn folders(mutants: &[Mutant]) -> BTreeMap<&str, String> {
    let folder = |mutant| folder_of(mutant).map(str::to_owned);
    mutants.iter().filter_map(|mutant| Some((mutant.package.as_str(), folder(mutant)?))).collect()
}

/// The folder of the package of a mutant.
fn folder_of(mutant: &Mutant) -> Option<&str> {
    Some(mutant.file.split_once("/src/")?.0)
}

/// The fates of all mutants so far.
struct Trials<'m> {
    mutants: &'m [Mutant],
    fates: BTreeMap<usize, Fate>,
    /// The file of results.
    results: &'m Path,
    /// A folder for what tests write.
    temporary: &'m Path,
}

impl Trials<'_> {
    /// Tries the mutants without a fate with all tests of `programs`.
    fn carry_out(&mut self, programs: &[Program]) -> Result<()> {
        let tests = programs::probe_all(programs, LEFT_OUT, self.temporary)?;
        let seconds: f64 = tests.iter().map(|test| test.seconds).sum();
        println!("{} tests in {} programs take {seconds:.1} s", tests.len(), programs.len());
        let open = in_mixed_order(self.mutants.len());
        let open: Vec<usize> = open.filter(|number| !self.fates.contains_key(number)).collect();
        let (mut tried, temporary, mutants) = (0, self.temporary, self.mutants);
        let is_own = |mutant: usize, program: &Program| {
            let folder = folder_of(&mutants[mutant - 1]);
            folder.is_some_and(|folder| program.folder().ends_with(folder))
        };
        trial::run(programs, &tests, &open, temporary, is_own, |mutant, fate| {
            self.fates.insert(mutant, fate);
            tried += 1;
            if tried % REPORTED == 0 {
                println!("{tried} of {}", open.len());
                self.write()?;
            }
            Ok(())
        })?;
        self.write()
    }

    /// Writes a line for each mutant.
    fn write(&self) -> Result<()> {
        let mut text = String::new();
        for (number, mutant) in (1..).zip(self.mutants) {
            if let Some(fate) = self.fates.get(&number) {
                // Writing to a String cannot fail.
                let _ = writeln!(text, "{}\t{}", fate.word(), mutant.name);
            }
        }
        fs::write(self.results, text).map_err(while_trying("write", self.results))
    }

    /// Prints the mutants that were not caught, each with the reason if one is known, and the
    /// metrics.
    fn print(&self, reasons: &Reasons<'_>) {
        let mut counts = BTreeMap::<&str, usize>::new();
        let mut unexplained = 0;
        for (number, fate) in &self.fates {
            *counts.entry(fate.word()).or_default() += 1;
            if matches!(fate, Fate::Missed | Fate::Unreached) {
                let name = &self.mutants[number - 1].name;
                let reason = reasons.of(name);
                println!("{}: {name}: {}", fate.word(), reason.unwrap_or("no reason is known"));
                unexplained += usize::from(reason.is_none());
            }
        }
        println!("{counts:?}");
        let count = |fate: Fate| counts.get(fate.word()).copied().unwrap_or(0);
        let caught = count(Fate::Caught);
        let viable = caught + count(Fate::Missed) + count(Fate::Unreached);
        let percent = u32::try_from(100_000 * caught / viable.max(1)).map_or(0.0, f64::from) / 1e3;
        println!("metric strain.mutants {viable}");
        println!("metric strain.mutants_caught {percent:.1}");
        println!("metric strain.mutants_unexplained {unexplained}");
    }
}

/// The numbers from 1 to `count` in an order in which every stretch has numbers from everywhere, so
/// that an interrupted run is a sample of all mutants.
fn in_mixed_order(count: usize) -> impl Iterator<Item = usize> {
    // The step is a prime that is larger than any count here, so it shares no divisor with one.
    (0..count).map(move |position| position * STEP % count + 1)
}
