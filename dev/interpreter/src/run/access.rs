//! Accesses to memory by threads.

use super::shared::Shared;
use super::thread::Thread;
use crate::code::Place;
use crate::fault::{Fault, Result};
use crate::memory::{outside, slice, slice_mut, space_of};
use crate::text::Space;

/// Returns the address of a place, which must be a multiple of `alignment`.
pub(super) fn address(
    thread: &Thread,
    shared: &Shared<'_>,
    place: Place,
    alignment: u64,
) -> Result<(Space, u64)> {
    let address = thread.value(place.base, shared).wrapping_add(place.offset);
    if !address.is_multiple_of(alignment) {
        return Err(Fault::new(format!("{address:#x} is no multiple of {alignment}")));
    }
    Ok(match place.space {
        Space::Generic => space_of(address),
        space => (space, address),
    })
}

/// Reads up to eight bytes.
pub(super) fn load(
    thread: &Thread,
    shared: &Shared<'_>,
    (space, address): (Space, u64),
    bytes: u64,
) -> Result<u64> {
    let found = match space {
        Space::Global | Space::Const => shared.global.read(address, bytes)?,
        Space::Shared => slice(&shared.memory, address, bytes)
            .ok_or_else(|| outside(address, bytes, "shared"))?,
        Space::Local | Space::Param => {
            slice(&thread.local, address, bytes).ok_or_else(|| outside(address, bytes, "local"))?
        }
        Space::Generic => return Err(outside(address, bytes, "generic")),
    };
    let mut word = [0; 8];
    word[..found.len()].copy_from_slice(found);
    Ok(u64::from_le_bytes(word))
}

/// Writes up to eight bytes.
pub(super) fn store(
    thread: &mut Thread,
    shared: &mut Shared<'_>,
    (space, address): (Space, u64),
    bytes: u64,
    value: u64,
) -> Result<()> {
    let found = match space {
        Space::Global => shared.global.write(address, bytes, false)?,
        Space::Shared => slice_mut(&mut shared.memory, address, bytes)
            .ok_or_else(|| outside(address, bytes, "shared"))?,
        Space::Local | Space::Param => slice_mut(&mut thread.local, address, bytes)
            .ok_or_else(|| outside(address, bytes, "local"))?,
        Space::Const => return Err(Fault::new("constant memory is written")),
        Space::Generic => return Err(outside(address, bytes, "generic")),
    };
    let length = found.len();
    found.copy_from_slice(&value.to_le_bytes()[..length]);
    Ok(())
}
