//! Arithmetic on the figures of benches, and the form in which they are printed.

use std::path::Path;

use dev_process::{Result, while_trying};

/// Prints a metric in the form that scripts read.
pub(crate) fn print_metric(name: &str, value: f64) {
    println!("metric {name} {value:.4}");
}

/// Returns the size of a file in bytes.
pub(crate) fn size(path: &Path) -> Result<u64> {
    Ok(path.metadata().map_err(while_trying("read", path))?.len())
}

/// Converts a count, which is far below the numbers that a float cannot represent.
#[expect(clippy::cast_precision_loss, reason = "registers, calls and sizes of files")]
pub(crate) fn number(count: u64) -> f64 {
    count as f64
}

/// Returns the middle one of some values, or the mean of the two in the middle; 0 if there is no
/// value.
pub(crate) fn median(values: impl IntoIterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.into_iter().collect();
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.len() {
        0 => 0.0,
        even if even % 2 == 0 => f64::midpoint(values[middle - 1], values[middle]),
        _ => values[middle],
    }
}

/// Returns the geometric mean of positive values; 1 if there is no value.
pub(crate) fn geometric_mean(values: impl IntoIterator<Item = f64>) -> f64 {
    let (sum, count) =
        values.into_iter().fold((0.0, 0_u32), |(sum, count), value| (sum + value.ln(), count + 1));
    if count == 0 { 1.0 } else { (sum / f64::from(count)).exp() }
}

/// Returns the share of a part in a whole; 0 if the whole is 0.
pub(crate) fn share(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { number(part) / number(whole) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_in_the_middle() {
        for (values, expected) in
            [(vec![], 0.0), (vec![7.0], 7.0), (vec![3.0, 1.0, 2.0], 2.0), (vec![4.0, 1.0], 2.5)]
        {
            assert!((median(values) - expected).abs() < 1e-9);
        }
    }

    #[test]
    fn the_geometric_mean_of_a_double_and_a_half_is_one() {
        assert!((geometric_mean([2.0, 0.5]) - 1.0).abs() < 1e-12);
        assert!((geometric_mean([]) - 1.0).abs() < 1e-12);
    }
}
