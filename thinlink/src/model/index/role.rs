//! What is asked most often of a node, in four bytes: nearly every phase asks for it in no order, and
//! memory is what it waits for.

use weft_artifact::Linkage;

use crate::model::flags::bit;
use crate::model::program::Kind;

/// What a definition is to the linked program. It does not depend on what is live.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// Seen by its module only.
    Local,
    /// The one that references from other modules bind to.
    Prevailing,
    /// A copy whose body stays for inspection, while another module emits the symbol.
    Copy,
    /// A copy that has to stay as it is, since an alias of its module stands for it, and LLVM takes
    /// no alias of a definition that is not emitted.
    Untouched,
    /// A copy that must not be looked at, since the prevailing one may mean something else.
    Dropped,
}

/// What a node is in its module, and among those of its name.
#[derive(Clone, Copy)]
pub(super) struct Traits {
    pub(super) linkage: Linkage,
    pub(super) kind: Kind,
    pub(super) role: Role,
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
        Self { linkage, kind, role: Role::Local, bits: LOCAL | prevails }
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

    /// Whether it is a variable with an initializer.
    #[inline]
    pub(super) fn is_variable(self) -> bool {
        matches!(self.kind, Kind::Variable | Kind::Copyable)
    }
}
