//! The kernels of a program in Weft's image and in the reference image.
//!
//! The figures of a kernel include all functions that the kernel reaches, copies that were made for
//! it as well as functions that it shares with other kernels, each once for each kernel. So the
//! choice of the assembler between the two does not matter, and a function that ten kernels share
//! counts for each of them, as each may run it.

use std::collections::BTreeSet;

use dev_process::{Error, Result};
use dev_sass::{Image, KernelCost};

/// One kernel in both images.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Pair {
    pub(super) name: String,
    pub(super) weft: Side,
    pub(super) other: Side,
}

/// Figures of a kernel in one image.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Side {
    pub(super) cost: KernelCost,
    /// Warps that a multiprocessor holds at once.
    pub(super) warps: u64,
}

/// Pairs the kernels that both images have. Weft's image lacks the kernels that the thin link has
/// `removed`, as no host code launches them; any other kernel that only one image has is an error.
pub(crate) fn of(weft: &Image, other: &Image, removed: &BTreeSet<String>) -> Result<Vec<Pair>> {
    let alone = |image: &Image, beside: &Image| {
        let kernels = image.kernels.keys().filter(|name| !beside.kernels.contains_key(*name));
        kernels.cloned().collect::<Vec<_>>()
    };
    let mut missing = alone(other, weft);
    missing.retain(|name| !removed.contains(name));
    for (who, names) in [("Weft", alone(weft, other)), ("the other build", missing)] {
        if !names.is_empty() {
            let message = format!("only the image of {who} has: {}", names.join(", "));
            return Err(Error::new(message));
        }
    }
    let pair = |name: &String| Pair {
        name: name.clone(),
        weft: side(weft, name, other),
        other: side(other, name, other),
    };
    let both = weft.kernels.keys().filter(|name| other.kernels.contains_key(*name));
    Ok(both.map(pair).collect())
}

/// Returns the figures of a kernel in `image`. Its launch bounds, which are the source's, are read
/// from `bounds` for both images, so that occupancy differs only by the code.
fn side(image: &Image, name: &str, bounds: &Image) -> Side {
    let cost = image.kernels.get(name).copied().unwrap_or_default();
    let shared = image.blocks.get(name).map_or(0, |block| block.shared);
    let threads = bounds.blocks.get(name).and_then(|block| block.threads);
    Side { cost, warps: dev_sass::warps(cost.registers, shared, threads) }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use dev_sass::Block;

    fn image(kernels: &[(&str, u64, Option<u64>)]) -> Image {
        let cost = |registers| KernelCost { registers, ..KernelCost::default() };
        Image {
            kernels: kernels
                .iter()
                .map(|(name, registers, _)| ((*name).to_owned(), cost(*registers)))
                .collect(),
            blocks: kernels
                .iter()
                .map(|(name, _, threads)| {
                    ((*name).to_owned(), Block { threads: *threads, shared: 0 })
                })
                .collect(),
            ..Image::default()
        }
    }

    #[test]
    fn kernels_come_in_pairs_with_the_bounds_of_the_other_build() {
        let weft = image(&[("a", 64, None)]);
        let other = image(&[("a", 128, Some(512)), ("dead", 9, None)]);
        let pairs = of(&weft, &other, &["dead".to_owned()].into()).unwrap();
        assert_eq!(pairs.len(), 1);
        assert_eq!((pairs[0].weft.warps, pairs[0].other.warps), (32, 16));
    }

    #[test]
    fn a_kernel_that_only_one_has_is_named() {
        let [one, both] = [image(&[("a", 9, None)]), image(&[("a", 9, None), ("b", 9, None)])];
        for (weft, other, who) in [(&one, &both, "the other build"), (&both, &one, "Weft")] {
            let message = of(weft, other, &BTreeSet::new()).unwrap_err().message().to_owned();
            assert!(message.contains(who) && message.ends_with(": b"), "{message}");
        }
    }
}
