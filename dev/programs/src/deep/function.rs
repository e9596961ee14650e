//! Size of a generated program, and its functions.

/// How large a program is.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    /// Its CUDA units; all but the last have a kernel.
    pub units: u32,
    /// Levels of functions below the kernels.
    pub levels: u32,
    /// Most calls in one function.
    pub calls: u32,
    /// Most statements before each call.
    pub statements: u32,
}

/// How a function gets and gives its state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Passing {
    /// A structure by value, both ways.
    Value,
    /// A pointer to it.
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
