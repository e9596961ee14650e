//! The number of a kernel's warps that a multiprocessor can hold, by the arithmetic of NVIDIA's
//! occupancy calculator, with the limits of the CUDA programming guide's table of compute
//! capabilities.

use weft_container::KernelResources;
use weft_report::Occupancy;

const WARP: u32 = 32;
const REGISTERS: u32 = 65_536;
/// Number of registers in whose multiples a warp gets registers.
const REGISTER_UNIT: u32 = 256;
/// Number of parts of a multiprocessor, each of which has the same share of the registers.
const QUARTERS: u32 = 4;
const LARGEST_BLOCK: u32 = 1024;

/// Limits of a multiprocessor of an architecture.
struct Limits {
    warps: u32,
    blocks: u32,
    shared_bytes: u64,
    /// Number of bytes of shared memory that the driver takes for each block.
    reserved_bytes: u64,
    /// Number of bytes in whose multiples a block gets shared memory.
    shared_unit: u64,
}

/// Returns the occupancy of a kernel with its static shared memory alone; `None` for an
/// architecture whose limits are not published.
pub fn occupancy(architecture: &str, kernel: &KernelResources) -> Option<Occupancy> {
    let limits = limits(architecture)?;
    match kernel.max_threads {
        Some(threads) => Some(with_block(&limits, kernel, threads)),
        None => (1..=LARGEST_BLOCK / WARP)
            .map(|warps| with_block(&limits, kernel, warps * WARP))
            // Among sizes with equal occupancy, the largest block is taken.
            .max_by_key(|occupancy| (occupancy.warps, occupancy.block_threads)),
    }
}

fn with_block(limits: &Limits, kernel: &KernelResources, block_threads: u32) -> Occupancy {
    let warps_of_block = block_threads.div_ceil(WARP).max(1);
    let of_warp = (kernel.registers.max(1) * WARP).next_multiple_of(REGISTER_UNIT);
    let warps_by_registers = REGISTERS / QUARTERS / of_warp * QUARTERS;
    let shared = (kernel.shared_bytes + limits.reserved_bytes).next_multiple_of(limits.shared_unit);
    let by_shared = limits.shared_bytes.checked_div(shared).unwrap_or(u64::MAX);
    let (blocks, limited_by) = [
        (limits.warps / warps_of_block, "warps"),
        (limits.blocks, "blocks"),
        (warps_by_registers / warps_of_block, "registers"),
        (u32::try_from(by_shared).unwrap_or(u32::MAX), "shared memory"),
    ]
    .into_iter()
    .min_by_key(|(blocks, _)| *blocks)
    .unwrap_or_default();
    let warps = blocks * warps_of_block;
    Occupancy { block_threads, warps, of_warps: limits.warps, limited_by: limited_by.into() }
}

fn limits(architecture: &str) -> Option<Limits> {
    let number = architecture.strip_prefix("sm_")?.trim_end_matches(['a', 'f']);
    let (warps, blocks, shared_kib) = match number {
        "75" => (32, 16, 64),
        "80" => (64, 32, 164),
        "86" => (48, 16, 100),
        "87" => (48, 16, 164),
        "89" | "120" | "121" => (48, 24, 100),
        "90" | "100" | "103" => (64, 32, 228),
        "110" => (48, 24, 228),
        _ => return None,
    };
    let (reserved_bytes, shared_unit) = if number == "75" { (0, 256) } else { (1024, 128) };
    Some(Limits { warps, blocks, shared_bytes: shared_kib * 1024, reserved_bytes, shared_unit })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kernel(registers: u32, shared_bytes: u64, max_threads: Option<u32>) -> KernelResources {
        KernelResources { registers, shared_bytes, max_threads, ..KernelResources::default() }
    }

    /// Returns the number of warps and the limit for a block of 256 threads.
    fn warps(architecture: &str, registers: u32, shared: u64) -> Option<(u32, String)> {
        occupancy(architecture, &kernel(registers, shared, Some(256)))
            .map(|occupancy| (occupancy.warps, occupancy.limited_by))
    }

    /// The numbers are those of NVIDIA's calculator.
    #[test]
    fn each_limit_can_be_the_one() {
        assert_eq!(warps("sm_90", 32, 0), Some((64, "warps".into())));
        assert_eq!(warps("sm_90a", 64, 0), Some((32, "registers".into())));
        assert_eq!(warps("sm_80", 33, 0), Some((48, "registers".into())));
        assert_eq!(warps("sm_90", 255, 0), Some((8, "registers".into())));
        assert_eq!(warps("sm_80", 32, 48 * 1024), Some((24, "shared memory".into())));
        assert_eq!(warps("sm_75", 32, 32 * 1024), Some((16, "shared memory".into())));
        assert_eq!(warps("sm_107", 32, 0), None);
        let small = occupancy("sm_86", &kernel(16, 0, Some(32)));
        assert_eq!(
            small.map(|occupancy| (occupancy.warps, occupancy.limited_by)),
            Some((16, "blocks".into()))
        );
    }

    #[test]
    fn without_launch_bounds_the_best_block_counts() {
        let best = occupancy("sm_86", &kernel(40, 0, None));
        assert_eq!(
            best.map(|best| (best.warps, best.of_warps, best.block_threads)),
            Some((48, 48, 768))
        );
    }
}
