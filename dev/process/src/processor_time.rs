//! Processor time of child processes, for benches on machines that do other work, too.

use std::fs;
use std::path::Path;

use crate::error::{Error, Result, while_trying};

/// Unit of the times below: Linux counts in hundredths of a second on every machine.
const TICKS_PER_SECOND: f64 = 100.0;
/// Positions of the user and system time of ended children, from the field after the program's
/// name.
const CHILDREN: [usize; 2] = [13, 14];

/// Returns the user and system time in seconds of all ended children of this process and of their
/// children.
pub fn of_children() -> Result<f64> {
    let path = Path::new("/proc/self/stat");
    let text = fs::read_to_string(path).map_err(while_trying("read", path))?;
    seconds(&text).ok_or_else(|| Error::new(format!("{}: unexpected text", path.display())))
}

fn seconds(stat: &str) -> Option<f64> {
    // The program's name, in parentheses, may hold any character.
    let (_, fields) = stat.rsplit_once(')')?;
    let fields: Vec<&str> = fields.split_whitespace().collect();
    let ticks = CHILDREN.map(|position| fields.get(position)?.parse::<f64>().ok());
    Some((ticks[0]? + ticks[1]?) / TICKS_PER_SECOND)
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
        Process::new("sh").args(["-c", busy]).quietly().capture().unwrap();
        assert!(of_children().unwrap() > before);
    }
}
