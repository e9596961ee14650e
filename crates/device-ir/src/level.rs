//! Optimization levels.

use weft_artifact::{FastCompile, PhaseOptions};

/// Level of the optimizer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptimizationLevel {
    /// No optimization.
    O0,
    /// Quick optimization.
    O1,
    /// Moderate optimization.
    O2,
    /// Optimization for speed.
    O3,
}

impl OptimizationLevel {
    /// The level that `options` ask for, or else the one for speed.
    pub(crate) fn of(options: &PhaseOptions) -> Self {
        match (options.fast_compile, options.optimization_level) {
            (None, Some(0)) => Self::O0,
            (Some(FastCompile::Mid | FastCompile::Max), _) | (None, Some(1)) => Self::O1,
            (Some(FastCompile::Min), _) | (None, Some(2)) => Self::O2,
            (None, _) => Self::O3,
        }
    }

    pub(crate) fn number(self) -> u32 {
        match self {
            Self::O0 => 0,
            Self::O1 => 1,
            Self::O2 => 2,
            Self::O3 => 3,
        }
    }
}

/// How hard a job optimizes. It holds for LLVM and, by the first line of the PTX, for ptxas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// A level.
    Level(OptimizationLevel),
    /// A fast compilation; `None` is a compilation as slow as what else the thin link settled.
    Fast(Option<FastCompile>),
}

impl Effort {
    /// Returns what the thin link `settled`, with this effort instead of the settled one.
    pub(crate) fn over(self, settled: PhaseOptions) -> PhaseOptions {
        let (optimization_level, fast_compile) = match self {
            Self::Level(level) => (Some(level.number()), None),
            Self::Fast(None) => (settled.optimization_level, None),
            Self::Fast(fast) => (None, fast),
        };
        PhaseOptions { optimization_level, fast_compile, ..settled }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_effort_takes_the_place_of_the_settled_one_and_of_nothing_else() -> Result<(), String> {
        let over = |effort: Effort, settled: &str| {
            Ok::<_, String>(effort.over(settled.parse()?).to_string())
        };
        let level = Effort::Level(OptimizationLevel::O1);
        assert_eq!(over(level, "opt-level=2 ftz=1")?, "opt-level=1 ftz=1");
        assert_eq!(over(level, "Ofast-compile=3")?, "opt-level=1");
        let fast = Effort::Fast(Some(FastCompile::Min));
        assert_eq!(over(fast, "opt-level=2 debug=1")?, "Ofast-compile=1 debug=1");
        assert_eq!(over(Effort::Fast(None), "Ofast-compile=2")?, "");
        assert_eq!(over(Effort::Fast(None), "opt-level=2")?, "opt-level=2");
        Ok(())
    }

    #[test]
    fn fast_compilation_has_levels_of_its_own() -> Result<(), String> {
        let level = |options: &str| Ok::<_, String>(OptimizationLevel::of(&options.parse()?));
        assert_eq!(level("")?, OptimizationLevel::O3);
        assert_eq!(level("opt-level=2")?, OptimizationLevel::O2);
        assert_eq!(level("Ofast-compile=1")?, OptimizationLevel::O2);
        assert_eq!(level("Ofast-compile=2")?, OptimizationLevel::O1);
        assert_eq!(level("Ofast-compile=3")?, OptimizationLevel::O1);
        Ok(())
    }
}
