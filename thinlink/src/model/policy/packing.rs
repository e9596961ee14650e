//! Choices about modules that are compiled together.

/// The modules that one job compiles as one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Packing {
    /// Each module has a separate job.
    #[default]
    Alone,
    /// The whole program goes into as few jobs as possible: one, except for modules that cannot be
    /// compiled together.
    Whole,
    /// The program goes into this many jobs, with equally many modules in each.
    Number(u32),
    /// Modules in a row are compiled together up to this number of IR instructions.
    Size(u32),
}

impl Packing {
    /// Number of IR instructions up to which modules are packed if the user gives none.
    pub const SIZE: u32 = 2_000;
}
