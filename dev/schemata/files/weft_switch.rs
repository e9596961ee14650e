//! The switches of mutants: one of them can be on in a process.

use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// Number of the mutant to try; no mutant has 0.
static ACTIVE: LazyLock<usize> = LazyLock::new(|| {
    std::env::var("WEFT_MUTANT").ok().and_then(|number| number.parse().ok()).unwrap_or(0)
});

/// File that takes the number of each place that this process reaches.
static REACHED: LazyLock<Option<File>> = LazyLock::new(|| {
    let path = std::env::var_os("WEFT_MUTANTS_REACHED")?;
    OpenOptions::new().append(true).create(true).open(path).ok()
});

static SEEN: [AtomicBool; crate::weft_switch_count::COUNT] =
    [const { AtomicBool::new(false) }; crate::weft_switch_count::COUNT];

/// Whether mutant `number` is the one to try.
pub fn on(number: usize) -> bool {
    if let Some(mut file) = REACHED.as_ref()
        && !SEEN[number].swap(true, Ordering::Relaxed)
    {
        let _ = file.write_all(format!("{number}\n").as_bytes());
    }
    *ACTIVE == number
}
