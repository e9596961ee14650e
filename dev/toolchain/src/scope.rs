//! Scopes of the toolchain, so that a command installs the parts that it needs and no more.

/// The parts of the toolchain that a command needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Parts that build Weft, and CUDA programs with Ninja.
    Builds,
    /// All parts, with the build systems and servers that tests try Weft with.
    Tests,
}
