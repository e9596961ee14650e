//! Comparison with golden files, which hold the expected output of a tool.

use std::fmt::Write as _;
use std::path::Path;

/// Fails the test unless the file `golden` holds `actual`. With `WEFT_UPDATE_GOLDEN=1`, writes
/// `actual` to the file instead.
#[expect(clippy::disallowed_methods, reason = "updating golden files is asked for by a variable")]
pub fn compare(golden: &Path, actual: &str) {
    if std::env::var_os("WEFT_UPDATE_GOLDEN").is_some_and(|value| value == "1") {
        std::fs::write(golden, actual)
            .unwrap_or_else(|error| panic!("cannot write {}: {error}", golden.display()));
        return;
    }
    let expected = std::fs::read_to_string(golden).unwrap_or_default();
    assert!(
        expected == actual,
        "{} does not hold what was made (- expected, + made):\n{}\nIf the change is right: \
         WEFT_UPDATE_GOLDEN=1 cargo xtask test",
        golden.display(),
        difference(&expected, actual)
    );
}

/// Returns the lines that differ between the common beginning and the common end.
fn difference(expected: &str, actual: &str) -> String {
    let (expected, actual): (Vec<_>, Vec<_>) =
        (expected.lines().collect(), actual.lines().collect());
    let start = expected.iter().zip(&actual).take_while(|(one, other)| one == other).count();
    let most = expected.len().min(actual.len()) - start;
    let same_end = expected.iter().rev().zip(actual.iter().rev());
    let end = same_end.take(most).take_while(|(one, other)| one == other).count();
    let mut text = format!("  … {start} equal lines\n");
    for line in &expected[start..expected.len() - end] {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "- {line}");
    }
    for line in &actual[start..actual.len() - end] {
        let _ = writeln!(text, "+ {line}");
    }
    text
}
