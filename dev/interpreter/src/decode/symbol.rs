//! Names outside of bodies.

use crate::code::Builtin;
use crate::text::Space;

/// The meaning of a name outside of bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Symbol {
    /// Address in a space.
    Variable(Space, u64),
    Function(usize),
    Builtin(Builtin),
}

/// Finds the meaning of a name.
pub(crate) type Symbols<'link> = &'link dyn Fn(&str) -> Option<Symbol>;
