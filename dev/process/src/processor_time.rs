//! Processor time of child processes, for benches on machines that do other work, too.

use std::fs;
use std::path::Path;

use crate::error::{Error, Result, while_trying};

/// Unit of the times below: Linux counts in hundredths of a second on every machine.
const TICKS_PER_SECOND: f64 = 100.0;
/// Positions of the user and system time of ended children, from the field after the program's
/// name.
const CHILDREN: &[usize] = &[13, 14];
/// Positions of the same times of the process itself and of its ended children.
const ALL: &[usize] = &[11, 12, 13, 14];

/// Returns the user and system time in seconds of all ended children of this process and of their
/// children.
pub fn of_children() -> Result<f64> {
    let path = Path::new("/proc/self/stat");
    let text = fs::read_to_string(path).map_err(while_trying("read", path))?;
    seconds(&text).ok_or_else(|| Error::new(format!("{}: unexpected text", path.display())))
}

/// Returns the user and system time in seconds of a process, of its descendants, and of those of
/// their children that have ended.
pub fn of_tree(process: u32) -> Result<f64> {
    let folder = Path::new("/proc");
    let entries = fs::read_dir(folder).map_err(while_trying("read", folder))?;
    let ids = entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    // A process that ends meanwhile is counted by its parent.
    let read = |id: u32| Some((id, fs::read_to_string(format!("/proc/{id}/stat")).ok()?));
    let processes: Vec<(u32, String)> = ids.filter_map(read).collect();
    let mut tree = vec![process];
    let mut sum = 0.0;
    while let Some(parent) = tree.pop() {
        for (id, stat) in &processes {
            if *id == parent {
                let unexpected = || Error::new(format!("/proc/{id}/stat: unexpected text"));
                sum += ticks(stat, ALL).ok_or_else(unexpected)? / TICKS_PER_SECOND;
            }
            let is_child = fields(stat).and_then(|fields| fields.get(1)?.parse::<u32>().ok());
            tree.extend((is_child == Some(parent)).then_some(*id));
        }
    }
    Ok(sum)
}

/// Returns the fields after the program's name, which is in parentheses and may hold any character.
fn fields(stat: &str) -> Option<Vec<&str>> {
    stat.rsplit_once(')').map(|(_, fields)| fields.split_whitespace().collect())
}

fn ticks(stat: &str, positions: &[usize]) -> Option<f64> {
    let fields = fields(stat)?;
    positions.iter().map(|position| fields.get(*position)?.parse::<f64>().ok()).sum()
}

fn seconds(stat: &str) -> Option<f64> {
    Some(ticks(stat, CHILDREN)? / TICKS_PER_SECOND)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::Process;

    #[test]
    fn user_and_system_time_of_children_are_the_sixteenth_and_seventeenth_field() {
        let stat = "7 (a) b) S 1 2 3 4 5 6 7 8 9 10 50 60 150 25 20 0 1";
        assert_eq!(seconds(stat), Some(1.75));
        assert_eq!(seconds("7 (a) S 1 2"), None);
    }

    #[test]
    fn a_child_that_works_is_counted() {
        let before = of_children().unwrap();
        let busy = "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done";
        let tree = of_tree(std::process::id()).unwrap();
        Process::new("sh").args(["-c", busy]).quietly().capture().unwrap();
        assert!(of_children().unwrap() > before);
        assert!(of_tree(std::process::id()).unwrap() > tree && tree >= before);
    }
}
