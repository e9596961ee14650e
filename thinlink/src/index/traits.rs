//! What is asked most often of a node, in four bytes: nearly every phase asks for it in no order, and
//! memory is what it waits for.

use weft_artifact::Linkage;

use super::Standing;
use crate::flags::bit;
use crate::program::Kind;

/// What a node is in its module, and among those of its name.
#[derive(Clone, Copy)]
pub(super) struct Traits {
    pub(super) linkage: Linkage,
    pub(super) kind: Kind,
    pub(super) standing: Standing,
    bits: u8,
}

/// Only its module sees it.
const LOCAL: u8 = 1;
/// References to its name bind to it.
const PREVAILS: u8 = 1 << 1;
/// It leads a name with several definitions.
const HAS_COPIES: u8 = 1 << 2;
/// An earlier copy of its name is like it.
const REPEATS: u8 = 1 << 3;

impl Traits {
    /// A symbol that only its module sees, as far as is known.
    pub(super) fn local(linkage: Linkage, kind: Kind) -> Self {
        let prevails = bit(PREVAILS, kind != Kind::Declaration);
        Self { linkage, kind, standing: Standing::Local, bits: LOCAL | prevails }
    }

    /// Others see it, too, and another one leads.
    pub(super) fn follow(&mut self) {
        self.bits = 0;
    }

    /// Others see it, too, and it leads.
    pub(super) fn lead(&mut self, prevails: bool, has_copies: bool) {
        self.bits = bit(PREVAILS, prevails) | bit(HAS_COPIES, has_copies);
    }

    /// An earlier copy of its name is like it.
    pub(super) fn repeat(&mut self) {
        self.bits |= REPEATS;
    }

    #[inline]
    pub(super) fn repeats(self) -> bool {
        self.bits & REPEATS != 0
    }

    #[inline]
    pub(super) fn is_local(self) -> bool {
        self.bits & LOCAL != 0
    }

    #[inline]
    pub(super) fn prevails(self) -> bool {
        self.bits & PREVAILS != 0
    }

    #[inline]
    pub(super) fn has_copies(self) -> bool {
        self.bits & HAS_COPIES != 0
    }

    #[inline]
    pub(super) fn is_definition(self) -> bool {
        self.kind != Kind::Declaration
    }

    /// Whether it is a variable with an initialiser.
    #[inline]
    pub(super) fn is_variable(self) -> bool {
        matches!(self.kind, Kind::Variable | Kind::Copyable)
    }
}
