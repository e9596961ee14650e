//! Whether the user says that all device code takes part.

/// The mode that the user asks for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ModeChoice {
    /// The inputs decide.
    #[default]
    Automatic,
    /// Symbols that other modules can see stay visible.
    ForcePartial,
    /// libcudadevrt does not make the link partial.
    ForceWhole,
}
