//! One program with its way of being built, and its comparison.

use std::fmt;

use dev_programs::random::Program;
use dev_random::Choices;

use crate::interpreted::outcome;
use crate::meaning::{Options, plain_with, weft_with};
use crate::oracle::{compare, inputs_of, ptx_of};
use crate::{Workbench, oracle};

/// Flags of clang for device code that change what is left for the link.
const FLAGS: [&[&str]; 6] = [
    &[],
    &["-Xarch_device", "-fno-inline-functions"],
    &["-Xarch_device", "-fno-unroll-loops"],
    &["-Xarch_device", "-fwhole-program-vtables"],
    &["-Xarch_device", "-gline-tables-only"],
    &["-Xarch_device", "-fno-strict-aliasing", "-Xarch_device", "-fwrapv"],
];
/// Flags that give every variable a value. A program that is being reduced may lose the statement
/// that did so, and must not look wrong for that.
const DEFINED: [&str; 1] = ["-ftrivial-auto-var-init=zero"];
/// Options of jobs that keep results, of which an edit must find no wrong one.
const CACHED: [&str; 2] = ["--cache=all", "--cache-dir=cache"];

/// The other side of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Oracle {
    /// Results of the processor, to which those of Weft's PTX must be equal.
    Processor,
    /// The image of a plain link, by its facts.
    Image,
}

/// A program, and how it is built.
#[derive(Clone, Debug)]
pub struct Case {
    /// Seed of the program and of all choices.
    pub seed: u64,
    /// The program.
    pub program: Program,
    /// The same program after an edit, if it is edited and built again in the same folder.
    pub edited: Option<Program>,
    options: Options,
    flags: Vec<&'static str>,
    host: &'static [&'static str],
    oracle: Oracle,
}

/// A fault that a comparison found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Kind of the fault. A reduced program must have one of the same kind.
    pub kind: String,
    /// Description of the fault.
    pub story: String,
}

/// Why a comparison ended without an agreement.
enum End {
    /// The program cannot be compared, because it does not compile or does not end.
    Invalid(String),
    Wrong(Fault),
}

impl Case {
    /// Draws the case of `seed`.
    pub fn draw(seed: u64) -> Self {
        let program = Program::generate(seed);
        let mut random = Choices::new(!seed);
        let options = Options::draw(&mut random);
        let host = *random.pick(&oracle::HOST);
        let flags = random.pick(&FLAGS).to_vec();
        let oracle = if random.one_in(4) { Oracle::Image } else { Oracle::Processor };
        let is_edited = oracle == Oracle::Processor && random.one_in(3);
        let edited = is_edited.then(|| program.edit(&mut random).program);
        Self { seed, program, edited, options, flags, host, oracle }
    }

    /// Returns the case with another program, whose variables all have values.
    #[must_use]
    pub fn with(&self, program: Program) -> Self {
        let mut flags = self.flags.clone();
        if !flags.ends_with(&DEFINED) {
            flags.extend(DEFINED);
        }
        Self { program, edited: None, flags, ..self.clone() }
    }

    /// Returns the case with another oracle.
    #[must_use]
    pub fn by(self, oracle: Oracle) -> Self {
        Self { oracle, edited: None, ..self }
    }

    /// Builds and compares the program in an empty folder, and then its edit. `alter` is applied to
    /// Weft's PTX; it is the identity but where a fault is planted.
    pub fn fault(&self, bench: &Workbench, alter: &dyn Fn(String) -> String) -> Option<Fault> {
        let programs = [Some(&self.program), self.edited.as_ref()];
        for program in programs.into_iter().flatten() {
            let compared = match self.oracle {
                Oracle::Processor => self.compare_runs(bench, program, alter),
                Oracle::Image => self.compare_images(bench, program),
            };
            match compared {
                Ok(()) => {}
                Err(End::Invalid(story)) => {
                    return Some(Fault { kind: "invalid".to_owned(), story });
                }
                Err(End::Wrong(fault)) => return Some(fault),
            }
        }
        None
    }

    fn compare_runs(
        &self,
        bench: &Workbench,
        program: &Program,
        alter: &dyn Fn(String) -> String,
    ) -> Result<(), End> {
        let flags = [self.options.compile(), self.flags.clone()].concat();
        let expected = plain_with(bench, program, &flags).map_err(End::Invalid)?;
        let names = program.link_order();
        let mut files = Vec::new();
        for name in &names {
            let text = ptx_of(bench, &format!("{name}.bc")).map_err(End::Invalid)?;
            files.push((format!("plain/{name}"), text));
        }
        let found = outcome(program, &files);
        same("plain", &expected, found)?;
        let job = [self.options.codegen(), CACHED.to_vec()].concat();
        weft_with(bench, program, &self.options.thinlink(), &job, "bc,ptx").map_err(refused)?;
        let file = |name: &&str| {
            let text = bench.read(&format!("{name}.ptx"));
            (format!("weft/{name}"), alter(String::from_utf8_lossy(&text).into_owned()))
        };
        let files: Vec<_> = names.iter().map(file).collect();
        same("computes", &expected, outcome(program, &files))
    }

    fn compare_images(&self, bench: &Workbench, program: &Program) -> Result<(), End> {
        let compile = [self.host, &self.options.compile(), &self.flags].concat();
        let inputs =
            inputs_of(bench, program, self.seed, &compile, &self.options).map_err(End::Invalid)?;
        let found = compare(bench, &inputs).map_err(refused)?;
        let Some(first) = found.first() else { return Ok(()) };
        let lines: Vec<_> = found.iter().map(ToString::to_string).collect();
        Err(wrong(&format!("image: {:?}", first.aspect), lines.join("\n")))
    }
}

impl fmt::Display for Case {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { seed, options, flags, host, oracle, edited, .. } = self;
        let edit = if edited.is_some() { ", edited" } else { "" };
        let (flags, host) = (flags.join(" "), host.join(" "));
        write!(formatter, "program {seed}{edit}, against {oracle:?}, with {options} {flags} {host}")
    }
}

fn wrong(kind: &str, story: String) -> End {
    End::Wrong(Fault { kind: kind.to_owned(), story })
}

/// A program that a tool refuses. A smaller one must be refused for the same reason.
fn refused(story: String) -> End {
    let reason = reason(&story);
    wrong(&format!("refused: {reason}"), story)
}

/// Returns the line of a tool's output that says what is wrong, without words that hold digits,
/// which are names, places and numbers.
fn reason(story: &str) -> String {
    let says_why = |line: &&str| line.contains("error") || line.contains("fatal");
    let line = story.lines().find(says_why).or_else(|| story.lines().last()).unwrap_or_default();
    let has_no_digit = |word: &&str| !word.contains(|part: char| part.is_ascii_digit());
    line.split_whitespace().filter(has_no_digit).collect::<Vec<_>>().join(" ")
}

fn same(kind: &str, expected: &str, found: Result<String, String>) -> Result<(), End> {
    match found {
        Ok(found) if found == expected => Ok(()),
        Ok(found) => {
            let story = format!("the processor prints\n{expected}\nand the PTX\n{found}");
            Err(wrong(kind, story))
        }
        Err(fault) => Err(wrong(&format!("{kind}: fault"), fault)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_differ_in_more_than_names_and_numbers() {
        let first = reason("exit status: 255\nptxas a1.ptx, line 24; fatal   : Invalid value\n");
        assert_eq!(first, reason("exit status: 1\nptxas b2.ptx, line 7; fatal : Invalid value"));
        assert_ne!(first, reason("host code is said to use g1, which the image lacks"));
    }
}
