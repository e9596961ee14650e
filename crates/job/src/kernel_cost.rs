//! The cost for comparing results for one kernel.
//!
//! A run of a warp takes the cycles in which its instructions are issued, and more for each access
//! to local memory: accesses go through one unit that serves all four parts of a multiprocessor,
//! and misses in the first cache return later. Resident warps hide waiting. With few of them, each
//! further one hides much; with many, hardly anything. So
//!
//! ```text
//! cost = (cycles + 8 · accesses) · (1 + 8 / warps)
//! ```
//!
//! with cycles and accesses weighted by loops. Registers and stack count only by what they cause.

/// Cycles of an access to local memory.
const LOCAL: u128 = 8;
/// Number of warps that hide half of the waiting.
const HALF_HIDDEN: u128 = 8;
/// Number of cost units in a cycle.
const PARTS: u128 = 1000;

/// Returns the cost of a kernel with so many cycles, accesses to local memory and resident warps,
/// in thousandths of a cycle.
pub fn kernel_cost(cycles: u64, local: u64, warps: Option<u32>) -> u128 {
    let cycles = u128::from(cycles) + LOCAL * u128::from(local);
    match warps.map(u128::from) {
        Some(warps @ 1..) => cycles * PARTS * (warps + HALF_HIDDEN) / warps,
        _ => cycles * PARTS,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cycles_accesses_and_warps_count() {
        assert_eq!(kernel_cost(100, 5, Some(32)), 175_000);
        assert_eq!(kernel_cost(100, 5, Some(8)), 280_000);
        assert_eq!(kernel_cost(100, 5, None), 140_000);
        assert_eq!(kernel_cost(100, 5, Some(0)), 140_000);
    }
}
