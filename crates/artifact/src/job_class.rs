//! Classes of memory and time for the costly phases of a job.
//!
//! A build system or a cluster reserves memory before a job runs, so an estimate that is too small
//! fails a job, while one that is too large only wastes space. The classes are therefore upper
//! limits: a base that every process needs, plus more for each IR instruction than the worst of the
//! measured programs took. `cargo xtask simulate classes` measures programs and prints how far the
//! limits are from the truth.

use serde::{Deserialize, Serialize};

/// Class of one phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct JobClass {
    /// Memory in MiB that the phase needs at most, one of [`JobClass::MEMORY`]. The largest class
    /// has no upper end.
    pub memory_mib: u32,
    /// Seconds that the phase takes at most, one of [`JobClass::SECONDS`]. The largest class has no
    /// upper end.
    pub seconds: u32,
}

/// Classes of the two phases that take memory and time. The import and the other steps are in the
/// lowest class.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct JobClasses {
    /// Class of the codegen phase.
    pub codegen: JobClass,
    /// Class of the assemble phase, with ptxas.
    pub assemble: JobClass,
}

/// Costs of a phase: a base, and a part for each IR instruction.
struct Costs {
    base_mib: u64,
    kib_per_instruction: u64,
    microseconds_per_instruction: u64,
}

const CODEGEN: Costs =
    Costs { base_mib: 64, kib_per_instruction: 6, microseconds_per_instruction: 300 };
const ASSEMBLE: Costs =
    Costs { base_mib: 64, kib_per_instruction: 12, microseconds_per_instruction: 500 };

impl JobClass {
    /// Limits of the classes of memory, in MiB.
    pub const MEMORY: [u32; 6] = [512, 1024, 2048, 4096, 8192, 16384];
    /// Limits of the classes of time, in seconds.
    pub const SECONDS: [u32; 4] = [1, 10, 100, 1000];

    fn of(costs: &Costs, instructions: u64) -> Self {
        let kib = instructions.saturating_mul(costs.kib_per_instruction);
        let mib = costs.base_mib.saturating_add(kib.div_ceil(1024));
        let time = instructions.saturating_mul(costs.microseconds_per_instruction);
        Self {
            memory_mib: class(&Self::MEMORY, mib),
            seconds: class(&Self::SECONDS, time.div_ceil(1_000_000)),
        }
    }
}

impl Default for JobClass {
    /// Returns the lowest class.
    fn default() -> Self {
        Self { memory_mib: Self::MEMORY[0], seconds: Self::SECONDS[0] }
    }
}

impl JobClasses {
    /// Returns the classes of a module whose optimizer gets this number of IR instructions.
    pub fn of(instructions: u64) -> Self {
        Self {
            codegen: JobClass::of(&CODEGEN, instructions),
            assemble: JobClass::of(&ASSEMBLE, instructions),
        }
    }
}

/// Returns the lowest limit that is not below `need`, or the largest one.
fn class<const N: usize>(limits: &[u32; N], need: u64) -> u32 {
    let fits = |&&limit: &&u32| u64::from(limit) >= need;
    limits.iter().find(fits).copied().unwrap_or(limits[N - 1])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_module_is_in_the_lowest_class_that_holds_it() {
        let lowest = JobClass { memory_mib: 512, seconds: 1 };
        assert_eq!(JobClasses::of(0), JobClasses { codegen: lowest, assemble: lowest });
        // 64 MiB and 38,229 times 12 KiB are 512 MiB, and one instruction more is too many.
        assert_eq!(JobClasses::of(38_229).assemble, JobClass { memory_mib: 512, seconds: 100 });
        assert_eq!(JobClasses::of(38_230).assemble, JobClass { memory_mib: 1024, seconds: 100 });
        assert_eq!(JobClasses::of(38_230).codegen, JobClass { memory_mib: 512, seconds: 100 });
        assert_eq!(JobClasses::of(2_000).assemble, JobClass { memory_mib: 512, seconds: 1 });
        assert_eq!(JobClasses::of(2_001).assemble, JobClass { memory_mib: 512, seconds: 10 });
    }

    #[test]
    fn the_largest_class_has_no_end() {
        let largest = JobClass { memory_mib: 16384, seconds: 1000 };
        assert_eq!(JobClasses::of(u64::MAX), JobClasses { codegen: largest, assemble: largest });
    }
}
