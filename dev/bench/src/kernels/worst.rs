//! The kernels of a program with the worst ratios, to look at by hand.

use std::fmt::Write as _;

use super::pairs::{Pair, Side};
use crate::figures::number;
use dev_sass::KernelCost;

/// Number of kernels in each list.
const LENGTH: usize = 10;
/// Columns after which a name is cut.
const NAME: usize = 90;

/// Reads one figure.
type Part<Of> = fn(&Of) -> u64;

/// Orders of the lists: by the ratio of a cost, with the amount that is added to both sides of it.
const ORDERS: [(&str, Part<KernelCost>, f64); 3] = [
    ("registers", |cost| cost.registers, 0.0),
    ("local accesses", |cost| cost.local_accesses, 1.0),
    ("cycles", |cost| cost.cycles, 0.0),
];

/// Columns of the lists.
const PARTS: [(&str, Part<Side>); 7] = [
    ("regs", |side| side.cost.registers),
    ("stack", |side| side.cost.stack),
    ("local", |side| side.cost.local_accesses),
    ("calls", |side| side.cost.calls),
    ("instructions", |side| side.cost.instructions),
    ("warps", |side| side.warps),
    ("cycles", |side| side.cost.cycles),
];

/// Renders lists of the kernels with the largest ratios above 1, with Weft's figures first.
pub(crate) fn lists(pairs: &[Pair], other: &str) -> String {
    let mut text = String::new();
    for (name, part, shift) in ORDERS {
        let ratio = |pair: &Pair| {
            let of = |side: &Side| number(part(&side.cost)) + shift;
            of(&pair.weft) / of(&pair.other)
        };
        let mut worst: Vec<&Pair> = pairs.iter().filter(|pair| ratio(pair) > 1.0).collect();
        worst.sort_by(|a, b| ratio(b).total_cmp(&ratio(a)).then_with(|| a.name.cmp(&b.name)));
        // Writing to a String cannot fail.
        let _ = writeln!(
            text,
            "  {} of {} kernels are worse in {name}, Weft beside {other}",
            worst.len(),
            pairs.len()
        );
        if worst.is_empty() {
            continue;
        }
        let titles: String = PARTS.iter().map(|(title, _)| cell(title)).collect();
        let _ = writeln!(text, "{titles}  kernel");
        for pair in worst.into_iter().take(LENGTH) {
            let name: String = pair.name.chars().take(NAME).collect();
            let figures: String = PARTS.iter().map(|(_, part)| cell(&both(pair, *part))).collect();
            let _ = writeln!(text, "{figures}  {name}");
        }
    }
    text
}

/// Renders a figure of Weft's image and of the other.
fn both(pair: &Pair, part: Part<Side>) -> String {
    format!("{}/{}", part(&pair.weft), part(&pair.other))
}

/// Renders a cell of the table, which starts with a space even if the figures are long.
fn cell(text: &str) -> String {
    format!(" {text:>13}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_come_first_and_others_not_at_all() {
        let side = |registers, local_accesses| Side {
            cost: KernelCost {
                registers,
                local_accesses,
                cycles: registers,
                ..KernelCost::default()
            },
            warps: 8,
        };
        let pair = |name: &str, weft, other| Pair { name: name.to_owned(), weft, other };
        let pairs = [
            pair("better", side(10, 0), side(20, 9)),
            pair("worse", side(30, 0), side(20, 0)),
            pair("worst", side(40, 5), side(10, 0)),
        ];
        let text = lists(&pairs, "dlto");
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "  2 of 3 kernels are worse in registers, Weft beside dlto");
        assert!(lines[2].contains("40/10") && lines[2].ends_with("  worst"), "{text}");
        assert!(lines[3].ends_with("  worse"), "{text}");
        assert_eq!(lines[4], "  1 of 3 kernels are worse in local accesses, Weft beside dlto");
        assert!(lines[6].contains("5/0") && !text.contains("better"), "{text}");
    }
}
