//! Names outside of bodies.

use crate::code::Builtin;
use crate::text::Space;

/// The thing that a name outside of bodies stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Symbol {
    /// Address in a space.
    Variable(Space, u64),
    Function(usize),
    Builtin(Builtin),
}

/// Finds what a name stands for.
pub(crate) type Symbols<'link> = &'link dyn Fn(&str) -> Option<Symbol>;
