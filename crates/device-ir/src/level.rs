//! Optimization levels.

use weft_artifact::PhaseOptions;

/// Effort of the optimizer.
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
    /// The level that the thin link settled, or else the one for speed.
    pub(crate) fn of(options: &PhaseOptions) -> Self {
        match options.optimization_level {
            Some(0) => Self::O0,
            Some(1) => Self::O1,
            Some(2) => Self::O2,
            _ => Self::O3,
        }
    }
}
