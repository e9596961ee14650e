//! Units that the host linker leaves out.
//!
//! A linker takes a member of an archive if it defines a symbol that something in the link needs,
//! and leaves out all others. A unit that is left out registers no kernel and launches none, so its
//! kernels and variables have no use on the host.
//!
//! This finds a subset of the units that a linker leaves out: the order of libraries does not
//! count, all members that define a needed symbol are taken, and weak references count as needs. A
//! linker may take a member that is left out here, if it gets an option that the build has not
//! stated (`-u`), or links a library without a summary that needs the member. Then the program
//! registers kernels that its image lacks, and the guard refuses it. For the same reason launches
//! from a unit that is left out count as references to kernels of other units: the guard cannot
//! tell whether the member is in the program.
//!
//! Cost: a sort of the symbols that members define, and one look-up per symbol that a unit needs.

use std::collections::BTreeSet;

use weft_artifact::{LinkSymbols, ModuleId};

use crate::model::archives::Archives;
use crate::model::program::PackedUnit;

/// The symbol that the start of every program needs.
const START: &str = "main";

/// Finds those of `units`, members of `archives`, that no other unit needs, directly or through
/// other members. Options of the link need the symbols with the numbers `needed`.
pub(super) fn left_out<'units>(
    units: &[&'units PackedUnit],
    archives: &Archives,
    needed: impl Iterator<Item = u32>,
) -> BTreeSet<&'units ModuleId> {
    let symbols = |unit: &'units PackedUnit| unit.host.as_ref().map(|host| &host.link);
    let is_member: Vec<bool> = units.iter().map(|unit| archives.hold(&unit.module_id)).collect();
    let members = || (0..units.len()).filter(|&unit| is_member[unit]);
    let mut definers: Vec<(u32, usize)> = members()
        .flat_map(|unit| {
            let defined = symbols(units[unit]).map_or(&[][..], |symbols| &symbols.defines);
            defined.iter().map(move |&symbol| (symbol, unit))
        })
        .collect();
    definers.sort_unstable();
    let mut is_taken: Vec<bool> = is_member.iter().map(|is_member| !is_member).collect();
    let mut waiting: Vec<usize> = (0..units.len()).filter(|&unit| is_taken[unit]).collect();
    let mut pending: Vec<u32> = needed.chain([LinkSymbols::number(START)]).collect();
    loop {
        for symbol in pending.drain(..) {
            let first = definers.partition_point(|&(known, _)| known < symbol);
            let definers = definers[first..].iter().take_while(|&&(known, _)| known == symbol);
            for &(_, unit) in definers {
                if !std::mem::replace(&mut is_taken[unit], true) {
                    waiting.push(unit);
                }
            }
        }
        let Some(unit) = waiting.pop() else { break };
        pending.extend(symbols(units[unit]).into_iter().flat_map(|symbols| &symbols.needs));
    }
    members().filter(|&unit| !is_taken[unit]).map(|unit| &units[unit].module_id).collect()
}
