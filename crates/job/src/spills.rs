//! Facts about functions that ptxas prints and that no cubin holds: the registers that it keeps in
//! memory for lack of others, and the time that it took.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Bytes that a thread spills.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spills {
    /// Bytes that are stored.
    pub spill_store_bytes: u64,
    /// Bytes that are loaded.
    pub spill_load_bytes: u64,
}

/// Spilled bytes by function, of what `ptxas --verbose` printed: a line that names the function,
/// then one with the bytes.
pub fn spills(messages: &str) -> BTreeMap<String, Spills> {
    let mut spills = BTreeMap::new();
    let mut function = None;
    for line in messages.lines() {
        if let Some((_, name)) = line.split_once("Function properties for ") {
            function = Some(name.trim());
        } else if let Some(name) = function
            && line.contains("bytes spill stores")
        {
            let before = |words: &str| {
                let (head, _) = line.split_once(words)?;
                head.split_whitespace().last()?.parse().ok()
            };
            let spill_store_bytes = before(" bytes spill stores").unwrap_or(0);
            let spill_load_bytes = before(" bytes spill loads").unwrap_or(0);
            spills.insert(name.to_owned(), Spills { spill_store_bytes, spill_load_bytes });
            function = None;
        }
    }
    spills
}

/// Bytes that all functions and kernels spill and load again, of what `ptxas --verbose` printed.
pub fn spilled_bytes(messages: &str) -> u64 {
    let spills = spills(messages);
    spills.values().map(|spill| spill.spill_store_bytes + spill.spill_load_bytes).sum()
}

/// Seconds that ptxas took for each kernel, of what `ptxas --verbose` printed: a line that names
/// the function, and later one with the time.
///
/// A result from a cache comes with the messages of the run that made it.
pub fn compile_seconds(messages: &str) -> BTreeMap<String, f64> {
    let mut seconds = BTreeMap::new();
    let mut function = None;
    for line in messages.lines() {
        if let Some((_, name)) = line.split_once("Compiling entry function '") {
            function = name.split_once('\'').map(|(name, _)| name);
        } else if let Some((_, time)) = line.split_once("Compile time = ")
            && let Some(name) = function.take()
            && let Some(milliseconds) = time.split_whitespace().next()
            && let Ok(milliseconds) = milliseconds.parse::<f64>()
        {
            seconds.insert(name.to_owned(), milliseconds / 1000.0);
        }
    }
    seconds
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spills_are_read_by_function() {
        let messages = "\
ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function 'k' for 'sm_90'
ptxas info    : Function properties for k
    256 bytes stack frame, 12 bytes spill stores, 16 bytes spill loads
ptxas info    : Used 10 registers, used 1 barriers
ptxas info    : Compile time = 2500.000 ms
ptxas warning : Stack size for entry function 'k' cannot be statically determined
";
        let expected = Spills { spill_store_bytes: 12, spill_load_bytes: 16 };
        assert_eq!(spills(messages), [("k".to_owned(), expected)].into());
        assert_eq!(spilled_bytes(messages), 28);
        assert_eq!(compile_seconds(messages), [("k".to_owned(), 2.5)].into());
    }
}
