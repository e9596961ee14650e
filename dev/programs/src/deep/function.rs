//! Size of a generated program, and its functions.

/// Size of a program.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    /// Number of CUDA units; all but the last have a kernel.
    pub units: u32,
    /// Number of levels of functions below the kernels.
    pub levels: u32,
    /// Maximum number of calls in one function.
    pub calls: u32,
    /// Maximum number of statements before each call.
    pub statements: u32,
}

/// Form in which a function takes and returns its state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Passing {
    /// A structure by value, both ways.
    Value,
    /// A pointer to the structure.
    Pointer,
    /// A structure in, a scalar out.
    Scalars,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Function {
    pub(super) unit: u32,
    pub(super) level: u32,
    pub(super) passing: Passing,
}

impl Function {
    pub(super) fn name(&self) -> String {
        format!("f_{}_{}", self.unit, self.level)
    }
}
