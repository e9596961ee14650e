//! Log of one run of Ninja, read from its output.
//!
//! Ninja's own log keeps outputs and times, but not the run that wrote them, so its lines of
//! progress are the better source: one for each command, with the `description` of the rule.

/// Form of Ninja's progress that is read here: `[FINISHED/TOTAL] ` before each description.
pub(super) const NINJA_STATUS: &str = "[%f/%t] ";

/// One command that Ninja ran.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Step {
    /// Name of the step, such as `codegen`.
    pub verb: String,
    /// Unit of the step, such as `src/a.cu`; empty for a step of the whole program.
    pub unit: String,
}

/// Steps and time of one run of Ninja.
#[derive(Clone, Debug, Default)]
pub struct BuildLog {
    /// Commands in the order in which they ended.
    pub steps: Vec<Step>,
    /// Wall time in seconds.
    pub seconds: f64,
    /// Output of Ninja and of the commands.
    pub printed: String,
}

impl BuildLog {
    /// Returns the units with a step `verb`, sorted.
    pub fn units(&self, verb: &str) -> Vec<&str> {
        let matching = self.steps.iter().filter(|step| step.verb == verb);
        let mut units: Vec<&str> = matching.map(|step| step.unit.as_str()).collect();
        units.sort_unstable();
        units
    }

    /// Returns the number of steps with one of these verbs.
    pub fn count(&self, verbs: &[&str]) -> usize {
        self.steps.iter().filter(|step| verbs.contains(&step.verb.as_str())).count()
    }
}

/// Reads the steps in Ninja's output; the output of commands is skipped.
pub(super) fn steps(output: &str) -> Vec<Step> {
    output.lines().filter_map(step).collect()
}

fn step(line: &str) -> Option<Step> {
    let (counts, description) = line.strip_prefix('[')?.split_once("] ")?;
    let (finished, total) = counts.split_once('/')?;
    let is_count = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let (verb, unit) = description.split_once(' ').unwrap_or((description, ""));
    (is_count(finished) && is_count(total))
        .then(|| Step { verb: verb.to_owned(), unit: unit.trim().to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_found_among_the_output_of_commands() {
        let output = "[1/9] compile src/a.cu\nsrc/a.cu:1: warning: [2/x] y\n[2/7] thinlink\n\
                      [3/7] codegen src/b.cu\n[4/7] codegen src/a.cu\nninja: no work to do.\n";
        let log = BuildLog { steps: steps(output), ..BuildLog::default() };
        assert_eq!(log.steps.len(), 4);
        assert_eq!(log.units("codegen"), ["src/a.cu", "src/b.cu"]);
        assert_eq!(log.units("thinlink"), [""]);
        assert_eq!(log.count(&["compile", "codegen"]), 3);
    }

    #[test]
    fn a_run_without_work_has_no_steps() {
        assert!(steps("ninja: no work to do.\n").is_empty());
    }
}
