//! Figures of each step of a build: wall time, processor time and memory.
//!
//! A script around the step's command writes processor time and the largest resident memory of the
//! step's largest process, and Ninja's log has the wall time in milliseconds, with the start of the
//! step's processes.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::step_files;
use dev_process::{Error, Result, while_trying};

/// The measured rules, with the ending of the output under which Ninja's log lists the step, or the
/// whole name of the output if the step is one of the whole program.
const RULES: [(&str, &str); 13] = [
    ("compile", ".o"),
    ("compile-host", ".o"),
    ("device-link", "device_link.o"),
    ("summarize", ".summary"),
    ("summarize-host", ".summary"),
    ("thinlink", "plans/manifest.json"),
    ("import", ".linked.bc"),
    ("codegen", ".ptx"),
    ("assemble", ".cubin"),
    ("nvlink", "image.cubin"),
    ("fatbinary", "image.fatbin"),
    ("register", "registration.c"),
    ("compile-registration", "registration.o"),
];
/// Steps of the whole program, which have no unit.
const WHOLE: [&str; 6] =
    ["device-link", "thinlink", "nvlink", "fatbinary", "register", "compile-registration"];
/// Steps that compile a source. Their usage does not depend on the device link.
const COMPILATIONS: [&str; 2] = ["compile", "compile-host"];
/// The script, and its name in the folder of the build.
pub(super) const SCRIPT: &str = include_str!("rules/measure.sh");
pub(super) const SCRIPT_NAME: &str = "measure.sh";
/// Ending of the files with figures.
const ENDING: &str = ".usage";

/// One step that ran to its end.
#[derive(Clone, Debug, PartialEq)]
pub struct MeasuredStep {
    /// Name of the step, such as `codegen`.
    pub verb: String,
    /// Unit of the step, such as `src/a.cu`; empty for a step of the whole program.
    pub unit: String,
    /// Seconds from the start of the build to the start of the step.
    pub start: f64,
    /// Wall time in seconds.
    pub seconds: f64,
    /// Processor time in seconds, of all processes of the step.
    pub processor_seconds: f64,
    /// Largest number of bytes that were resident at a time in one process of the step.
    pub memory_bytes: u64,
}

impl MeasuredStep {
    /// Returns whether the step compiled a source, and is no part of the device link.
    pub fn is_compilation(&self) -> bool {
        COMPILATIONS.contains(&self.verb.as_str())
    }
}

/// Returns the rules of a Ninja file, changed so that the measured ones write `UNIT.RULE.usage`, or
/// `whole.RULE.usage` for steps of the whole program.
pub(super) fn with_usage(rules: &str) -> String {
    let mut rule = "";
    let mut text = String::new();
    for line in rules.lines() {
        rule = line.strip_prefix("rule ").unwrap_or(rule);
        let is_measured = RULES.iter().any(|(name, _)| *name == rule);
        match line.split_once("command = ") {
            Some((before, command)) if is_measured => {
                let stem = match rule {
                    rule if WHOLE.contains(&rule) => "$builddir/whole",
                    rule if COMPILATIONS.contains(&rule) => "$builddir/$unit",
                    _ => "$stem",
                };
                text = text + before + "command = bash $builddir/" + SCRIPT_NAME + " ";
                text = text + stem + "." + rule + ENDING + " " + command;
            }
            _ => text += line,
        }
        text.push('\n');
    }
    text
}

/// Reads the figures in the folder of a build, which Ninja's log calls `name`.
pub(super) fn read(folder: &Path, name: &str) -> Result<Vec<MeasuredStep>> {
    let log = folder.join(".ninja_log");
    let log = fs::read_to_string(&log).map_err(while_trying("read", &log))?;
    let times = times(&log, name);
    let mut steps = Vec::new();
    for file in step_files::read(folder, ENDING)? {
        let figures = figures(&file.text).ok_or_else(|| file.unexpected())?;
        let (processor_seconds, memory_bytes) = figures;
        let rule = RULES.iter().find(|(name, _)| *name == file.rule);
        let (verb, output) = rule.ok_or_else(|| file.unexpected())?;
        let unit = if WHOLE.contains(verb) { String::new() } else { file.stem };
        let output = [&unit, *output].concat();
        let missing = || Error::new(format!("Ninja's log has no {output}"));
        let (start, end) = times.get(output.as_str()).copied().ok_or_else(missing)?;
        steps.push(MeasuredStep {
            verb: file.rule,
            unit,
            start,
            seconds: end - start,
            processor_seconds,
            memory_bytes,
        });
    }
    steps.sort_by(|one, other| one.start.total_cmp(&other.start));
    Ok(steps)
}

/// Reads the start and end of each output in Ninja's log, in seconds. The last line of an output is
/// the valid one.
fn times<'log>(log: &'log str, folder: &str) -> BTreeMap<&'log str, (f64, f64)> {
    let line = |line: &'log str| {
        let mut fields = line.split('\t');
        let mut seconds = || Some(fields.next()?.parse::<f64>().ok()? / 1000.0);
        let (start, end) = (seconds()?, seconds()?);
        let output = fields.nth(1)?.strip_prefix(folder)?.strip_prefix('/')?;
        Some((output, (start, end)))
    };
    log.lines().filter_map(line).collect()
}

/// Reads `KILOBYTES`, and on the next line `USER SYSTEM`. A line of GNU time about the exit status
/// may precede them.
fn figures(text: &str) -> Option<(f64, u64)> {
    let mut lines = text.lines().rev();
    let mut times = lines.next()?.split_whitespace();
    let processor = times.next()?.parse::<f64>().ok()? + times.next()?.parse::<f64>().ok()?;
    Some((processor, lines.next()?.trim().parse::<u64>().ok()? * 1024))
}

#[cfg(test)]
mod tests {
    use super::*;
    use dev_process::{Process, remove};

    #[test]
    fn measured_rules_run_under_the_script() {
        let rules = "rule link\n  command = a\nrule codegen\n  command = b $in\n  restat = 1\n\
                     rule thinlink\n  command = c\nrule compile\n  command = d\n";
        let expected = "rule link\n  command = a\nrule codegen\n  command = bash \
                        $builddir/measure.sh $stem.codegen.usage b $in\n  restat = 1\nrule \
                        thinlink\n  command = bash $builddir/measure.sh \
                        $builddir/whole.thinlink.usage c\nrule compile\n  command = bash \
                        $builddir/measure.sh $builddir/$unit.compile.usage d\n";
        assert_eq!(with_usage(rules), expected);
    }

    #[test]
    fn the_script_measures_and_leaves_the_command_as_it_is() {
        let folder = std::env::temp_dir().join(format!("weft-measure-{}", std::process::id()));
        remove(&folder).unwrap();
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join(SCRIPT_NAME), SCRIPT).unwrap();
        let busy =
            "i=0; while [ $i -lt 50000 ]; do i=$((i+1)); done; echo out; echo err >&2; exit 3";
        let arguments = [SCRIPT_NAME, "a.usage", "sh", "-c", busy];
        let run = Process::new("bash").args(arguments).directory(&folder).quietly();
        let outcome = run.outcome().unwrap();
        assert!(!outcome.success && outcome.stdout == "out\n" && outcome.stderr == "err\n");
        let text = fs::read_to_string(folder.join("a.usage")).unwrap();
        let (seconds, bytes) = figures(&text).unwrap();
        assert!(seconds > 0.001 && (100_000..100_000_000).contains(&bytes), "{text}");
        remove(&folder).unwrap();
    }

    #[test]
    fn figures_of_both_sources_come_together() {
        let folder = std::env::temp_dir().join(format!("weft-step-usage-{}", std::process::id()));
        remove(&folder).unwrap();
        fs::create_dir_all(folder.join("src")).unwrap();
        let log = "# ninja log v7\n1\t90\t7\tb/w/src/a.cu.ptx\tff\n100\t350\t7\tb/w/src/a.cu.ptx\t\
                   ff\n40\t90\t7\tb/w/plans/manifest.json\tff\n";
        fs::write(folder.join(".ninja_log"), log).unwrap();
        fs::write(folder.join("src/a.cu.codegen.usage"), "2000\n0.200 0.050\n").unwrap();
        fs::write(folder.join("whole.thinlink.usage"), "Note\n10\n0.010 0.000\n").unwrap();
        let steps = read(&folder, "b/w").unwrap();
        let [first, second] = steps.as_slice() else { panic!("{steps:?}") };
        assert_eq!((&*first.verb, &*first.unit, first.memory_bytes), ("thinlink", "", 10_240));
        assert_eq!((&*second.verb, &*second.unit), ("codegen", "src/a.cu"));
        assert_eq!((second.start, second.seconds), (0.1, 0.35 - 0.1));
        assert!((second.processor_seconds - 0.25).abs() < 1e-9);
        fs::write(folder.join("src/b.cu.codegen.usage"), "1\n0 0\n").unwrap();
        assert!(read(&folder, "b/w").is_err_and(|error| error.message().contains("b.cu.ptx")));
        remove(&folder).unwrap();
    }
}
