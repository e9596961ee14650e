//! Whether the user says that all device code takes part.

/// What the user says of the mode.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ModeChoice {
    /// As the inputs are.
    #[default]
    Automatic,
    /// What other modules can see stays visible.
    ForcePartial,
    /// libcudadevrt does not make the link partial.
    ForceWhole,
}
