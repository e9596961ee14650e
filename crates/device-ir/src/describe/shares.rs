//! Large modules are read in shares, each by a thread with its own context: reading and checking
//! bodies is most of the work, and LLVM's contexts are independent of each other.

use std::num::NonZeroUsize;

use weft_workers::Workers;

use super::bodies::Bodies;
use super::destination::{Destination, Symbols, symbols_of};
use crate::changes::Share;
use crate::context::Context;
use crate::error::IrError;
use crate::module::{Module, Reading};

/// Options for reading a module.
#[derive(Clone, Copy)]
pub(super) struct Parts {
    /// Number of shares. A module whose definitions are compared with other modules' is always one
    /// share, because their bodies are compared.
    pub(super) shares: NonZeroUsize,
    /// Number of instructions of a share that are in memory before their bodies are freed.
    pub(super) instructions: usize,
}

/// The bodies of one share.
struct Read {
    bodies: Bodies,
    /// Symbols of the context that read them.
    symbols: Symbols,
}

/// Reads the bodies of `module`, which was read lazily from `bitcode`.
pub(super) fn read(
    module: &mut Module<'_>,
    bitcode: &[u8],
    parts: Parts,
    workers: &Workers,
) -> Result<Bodies, IrError> {
    if parts.shares == NonZeroUsize::MIN || has_compared_bodies(module) {
        return Bodies::read(module, Share::WHOLE, parts.instructions);
    }
    module.read_metadata()?;
    let shares = Share::all(parts.shares);
    let read = workers.map(&shares, |share| read_share(bitcode, *share, parts.instructions));
    let symbols = symbols_of(module);
    let mut bodies = Bodies::none(module);
    for (context, share) in (1..).zip(read) {
        let share = share?;
        let destination = Destination::new(&share.symbols, &symbols, context);
        bodies = bodies.with(share.bodies.moved(&destination));
    }
    Ok(bodies)
}

fn read_share(bitcode: &[u8], share: Share, instructions: usize) -> Result<Read, IrError> {
    let context = Context::new();
    let mut module = Module::read(&context, bitcode, Reading::Lazy)?;
    let bodies = Bodies::read(&mut module, share, instructions)?;
    Ok(Read { bodies, symbols: symbols_of(&module) })
}

/// Whether the module has definitions that another module's may replace.
fn has_compared_bodies(module: &Module<'_>) -> bool {
    let globals = module.globals().into_iter();
    globals.filter(|global| global.is_definition()).any(|global| global.linkage().is_interposable())
}
