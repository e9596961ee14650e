//! Processor time of the phases of each module, written by the shell that Ninja starts for each.
//!
//! The shell's command `times` prints the user and system time of the shell and, on a second line,
//! of its child processes. Unlike wall time, these hardly depend on other work of the machine.

use std::collections::BTreeMap;
use std::path::Path;

use crate::step_files;
use dev_process::Result;

/// Rules that are timed.
const RULES: [&str; 3] = ["import", "codegen", "assemble"];
/// Ending of the files with times.
const ENDING: &str = ".times";

/// Returns the rules of a Ninja file, changed so that the timed ones write `STEM.RULE.times`.
pub(super) fn with_times(rules: &str) -> String {
    let mut rule = "";
    let mut text = String::new();
    for line in rules.lines() {
        rule = line.strip_prefix("rule ").unwrap_or(rule);
        text += line;
        if RULES.contains(&rule) && line.trim_start().starts_with("command = ") {
            text = text + " && times > $stem." + rule + ENDING;
        }
        text.push('\n');
    }
    text
}

/// Reads the times in a folder and below it, summed by module.
pub(super) fn read(folder: &Path) -> Result<BTreeMap<String, f64>> {
    let mut modules = BTreeMap::new();
    for file in step_files::read(folder, ENDING)? {
        let seconds = seconds(&file.text).ok_or_else(|| file.unexpected())?;
        *modules.entry(file.stem).or_default() += seconds;
    }
    Ok(modules)
}

/// Sums times like `0m1.25s`.
fn seconds(times: &str) -> Option<f64> {
    let mut sum = 0.0;
    for time in times.split_whitespace() {
        let (minutes, seconds) = time.strip_suffix('s')?.split_once('m')?;
        sum += minutes.parse::<f64>().ok()? * 60.0 + seconds.parse::<f64>().ok()?;
    }
    Some(sum)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use dev_process::{Process, remove};

    #[test]
    fn only_the_phases_of_modules_are_timed() {
        let rules =
            "rule import\n  command = a -o $out\n  deps = gcc\nrule nvlink\n  command = b\n";
        let expected = "rule import\n  command = a -o $out && times > $stem.import.times\n  \
                        deps = gcc\nrule nvlink\n  command = b\n";
        assert_eq!(with_times(rules), expected);
    }

    #[test]
    fn what_the_shell_writes_is_summed_by_module() {
        let folder = std::env::temp_dir().join(format!("xtask-job-times-{}", std::process::id()));
        remove(&folder).unwrap();
        fs::create_dir_all(folder.join("src")).unwrap();
        let busy =
            "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done; times > src/a.cu.codegen.times";
        Process::new("sh").args(["-c", busy]).directory(&folder).quietly().capture().unwrap();
        for (name, text) in [("import", "0m0.25s 0m0.00s\n1m1.00s 0m0.25s\n"), ("log", "x")] {
            fs::write(folder.join(format!("src/b.cu.{name}.times")), text).unwrap();
        }
        assert!(read(&folder).is_err_and(|error| error.message().contains("b.cu.log")));
        remove(&folder.join("src/b.cu.log.times")).unwrap();
        let modules = read(&folder).unwrap();
        remove(&folder).unwrap();
        assert_eq!(modules.keys().collect::<Vec<_>>(), ["src/a.cu", "src/b.cu"]);
        assert!((modules["src/b.cu"] - 61.5).abs() < 1e-9 && modules["src/a.cu"] > 0.0);
    }
}
