//! The facts about a node that are asked for most often, in four bytes. Nearly every phase reads
//! them in random order, and waits for memory.

use weft_artifact::Linkage;

use crate::model::flags::bit;
use crate::model::program::Kind;

/// The part that a definition plays in the linked program. It does not depend on what is live.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// Only its module sees it.
    Local,
    /// References from other modules bind to it.
    Prevailing,
    /// A non-prevailing definition whose body stays for inlining, while another module emits the
    /// symbol.
    Copy,
    /// A non-prevailing definition that has to stay as it is, since its module aliases it, and LLVM
    /// accepts no alias of a definition that is not emitted.
    Untouched,
    /// A non-prevailing definition that must not be inspected, since the prevailing one may mean
    /// something else, or since its bundle has another one.
    Dropped,
}

/// Facts about a node in its module and among the nodes of its name.
#[derive(Clone, Copy)]
pub(super) struct NodeFacts {
    pub(super) linkage: Linkage,
    pub(super) kind: Kind,
    pub(super) role: Role,
    bits: u8,
}

/// Bit of a node that only its module sees.
const LOCAL: u8 = 1;
/// Bit of a node that references to its name bind to.
const PREVAILS: u8 = 1 << 1;
/// Bit of the leader of a name with several definitions.
const HAS_COPIES: u8 = 1 << 2;
/// Bit of a definition that is like an earlier one of its name.
const REPEATS: u8 = 1 << 3;

impl NodeFacts {
    /// Facts about a symbol that only its module sees, as far as is known.
    pub(super) fn local(linkage: Linkage, kind: Kind) -> Self {
        let prevails = bit(PREVAILS, kind.is_definition());
        Self { linkage, kind, role: Role::Local, bits: LOCAL | prevails }
    }

    /// Notes that other modules see the node, and that another node leads its name.
    pub(super) fn set_follower(&mut self) {
        self.bits = 0;
    }

    /// Notes that other modules see the node, and that it leads its name.
    pub(super) fn set_leader(&mut self, prevails: bool, has_copies: bool) {
        self.bits = bit(PREVAILS, prevails) | bit(HAS_COPIES, has_copies);
    }

    /// Notes whether an earlier definition of the name is like this one.
    pub(super) fn set_repeated(&mut self, is_repeated: bool) {
        self.bits = self.bits & !REPEATS | bit(REPEATS, is_repeated);
    }

    #[inline]
    pub(super) fn is_repeated(self) -> bool {
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
}
