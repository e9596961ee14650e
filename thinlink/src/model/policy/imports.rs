//! Choices about imports.

use std::collections::BTreeMap;

/// How candidates are weighed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ImportModel {
    /// Weft's: the cost of a function is its size after inlining, less the cost of its call.
    #[default]
    Gpu,
    /// LLVM 22's: a function costs its instructions, and calls count as hot or cold by profile
    /// alone.
    Llvm,
}

impl ImportModel {
    /// Returns the limit unless the user states one.
    pub fn default_limit(self) -> u32 {
        match self {
            // One inlined slow path of libdevice's `sinf` exceeds LLVM's hundred. Half of this
            // left no call more in the example, and a fifth of it twice as many.
            Self::Gpu => 500,
            Self::Llvm => 100,
        }
    }

    /// Returns the factor on the limit at calls of kernels, unless the user states one.
    pub fn default_kernel_multiplier(self) -> f32 {
        match self {
            // The calls that a kernel keeps cost it a stack. On 33 units with calls seven levels
            // deep a factor of 10 left kernels five times the stack of `nvcc -dlto`; this leaves
            // less than nvcc, for a fraction of its processor time. Kernels with few calls import
            // no more because of it.
            Self::Gpu => 40.0,
            Self::Llvm => 1.0,
        }
    }
}

/// Choices that imports depend on.
#[derive(Clone, Debug, PartialEq)]
pub struct ImportPolicy {
    /// How candidates are weighed.
    pub model: ImportModel,
    /// Highest cost of a function that is imported where the module's own code calls it.
    pub limit: u32,
    /// Factor on the limit at the calls of a kernel.
    pub kernel_multiplier: f32,
    /// The most instructions of a function that other modules get; larger ones are called.
    pub copy_limit: Option<u32>,
    /// Import only bodies that the inliner will have room for, if the model is Weft's.
    pub budgets: bool,
    /// The most functions that a module imports.
    pub cutoff: Option<u32>,
    /// Factor on the limit for each further level of calls, from 0 to 1.
    pub evolution_factor: f32,
    /// The same below a hot call.
    pub hot_evolution_factor: f32,
    /// Factor on the limit at a hot call.
    pub hot_multiplier: f32,
    /// Factor on the limit at a critical call.
    pub critical_multiplier: f32,
    /// Factor on the limit at a cold call.
    pub cold_multiplier: f32,
    /// Import every external function of the program into every module.
    pub all_index: bool,
    /// Import functions regardless of size, and `noinline` ones.
    pub force_all: bool,
    /// Import constants whose initializers refer to symbols.
    pub constants_with_refs: bool,
    /// Imported functions say where they come from.
    pub metadata: bool,
    /// Root functions, with the functions that the module of the root imports.
    pub workload: BTreeMap<String, Vec<String>>,
    /// Decisions to print.
    pub printed: Printed,
}

/// Kinds of decisions to print.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Printed {
    /// Imports.
    pub imports: bool,
    /// Candidates that were not imported.
    pub failures: bool,
}

impl ImportPolicy {
    /// The [`copy_limit`](Self::copy_limit) of builds that are tuned for edits. A call costs some
    /// twenty instructions, so a smaller body gains nothing as a function.
    pub const COPY_LIMIT_FOR_EDITS: u32 = 50;

    /// Returns the policy of a model with defaults for everything else.
    pub fn of(model: ImportModel) -> Self {
        Self {
            model,
            limit: model.default_limit(),
            kernel_multiplier: model.default_kernel_multiplier(),
            copy_limit: None,
            budgets: true,
            cutoff: None,
            evolution_factor: 0.7,
            hot_evolution_factor: 1.0,
            hot_multiplier: 10.0,
            critical_multiplier: 100.0,
            cold_multiplier: 0.0,
            all_index: false,
            force_all: false,
            constants_with_refs: true,
            metadata: false,
            workload: BTreeMap::new(),
            printed: Printed::default(),
        }
    }

    /// Returns how functions are weighed.
    pub(crate) fn weights(&self) -> Weights {
        Weights { force_all: self.force_all, comdat_multiplier: self.critical_multiplier }
    }

    /// Whether the inliner's room is predicted. Where everything is imported, no prediction is
    /// needed.
    pub(crate) fn goes_by_budgets(&self) -> bool {
        self.budgets && self.model == ImportModel::Gpu && !self.force_all
    }
}

/// The choices that the weighing of a function against a threshold depends on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Weights {
    /// Import functions regardless of size, and `noinline` ones.
    pub(crate) force_all: bool,
    /// Factor on the limit of functions of which other modules may hold copies.
    pub(crate) comdat_multiplier: f32,
}

/// Returns `threshold * factor`, truncated. Beyond 2^32 it is the largest number.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "single precision and truncation are the definition; factors are not negative"
)]
pub(crate) fn scaled(threshold: u32, factor: f32) -> u32 {
    (threshold as f32 * factor) as u32
}

impl Default for ImportPolicy {
    fn default() -> Self {
        Self::of(ImportModel::default())
    }
}
