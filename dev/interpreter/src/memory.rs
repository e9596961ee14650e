//! Addresses, and the memory that all threads of a program share.
//!
//! Global and constant variables lie at their generic addresses. Shared memory, local memory and
//! parameters are windows of the generic addresses; their own addresses start at zero. Addresses of
//! functions are numbers in a separate range, which holds no data.

use std::collections::BTreeMap;

use crate::fault::{Fault, Result};
use crate::text::Space;

/// First address of the windows, and their size.
const WINDOW: u64 = 1 << 40;
const SHARED: u64 = WINDOW;
const LOCAL: u64 = 2 * WINDOW;
const PARAMETERS: u64 = 3 * WINDOW;
const CODE: u64 = 4 * WINDOW;
/// Distance of the addresses of two functions.
const CODE_STEP: u64 = 16;
/// First address of global memory.
pub(crate) const GLOBAL: u64 = 1 << 32;
/// Bytes between two allocations, so that an access behind the end of one is noticed.
const GAP: u64 = 256;

/// Returns the generic address of an address in a space.
pub(crate) fn generic(space: Space, address: u64) -> u64 {
    address.wrapping_add(match space {
        Space::Shared => SHARED,
        Space::Local => LOCAL,
        Space::Param => PARAMETERS,
        Space::Generic | Space::Global | Space::Const => 0,
    })
}

/// Returns the address in a space of a generic address.
pub(crate) fn specific(space: Space, address: u64) -> u64 {
    address.wrapping_sub(generic(space, 0))
}

/// Returns the space of a generic address, and the address in the space.
pub(crate) fn space_of(address: u64) -> (Space, u64) {
    let space = match address / WINDOW {
        0 => Space::Global,
        1 => Space::Shared,
        2 => Space::Local,
        3 => Space::Param,
        _ => return (Space::Generic, address),
    };
    (space, specific(space, address))
}

/// Returns the address of a function.
pub(crate) fn code_address(function: usize) -> u64 {
    CODE + CODE_STEP * function as u64
}

/// Returns the number of the function at an address.
pub(crate) fn function_at(address: u64) -> Option<usize> {
    let offset = address.checked_sub(CODE)?;
    let number = usize::try_from(offset / CODE_STEP).ok()?;
    offset.is_multiple_of(CODE_STEP).then_some(number)
}

/// Bytes at some address.
#[derive(Clone, Debug)]
pub(crate) struct Allocation {
    pub(crate) bytes: Vec<u8>,
    /// Kernels may not write the bytes.
    pub(crate) is_constant: bool,
}

/// Global and constant memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct Global {
    allocations: BTreeMap<u64, Allocation>,
}

impl Global {
    /// Returns an address behind all allocations.
    pub(crate) fn end(&self) -> u64 {
        self.allocations
            .last_key_value()
            .map_or(GLOBAL, |(start, allocation)| start + allocation.bytes.len() as u64 + GAP)
    }

    /// Adds an allocation behind all others, and returns its address.
    pub(crate) fn add(&mut self, allocation: Allocation, alignment: u64) -> u64 {
        let start = self.end().next_multiple_of(alignment.max(1));
        self.allocations.insert(start, allocation);
        start
    }

    /// Removes the allocation that starts at an address.
    pub(crate) fn remove(&mut self, address: u64) -> Result<()> {
        let removed = self.allocations.remove(&address);
        removed.map(drop).ok_or_else(|| Fault::new(format!("{address:#x} was not allocated")))
    }

    pub(crate) fn read(&self, address: u64, length: u64) -> Result<&[u8]> {
        let found = self.allocations.range(..=address).next_back();
        found
            .and_then(|(start, allocation)| slice(&allocation.bytes, address - start, length))
            .ok_or_else(|| outside(address, length, "global"))
    }

    /// Returns writable bytes. `is_host` permits writes to constants.
    pub(crate) fn write(&mut self, address: u64, length: u64, is_host: bool) -> Result<&mut [u8]> {
        let found = self.allocations.range_mut(..=address).next_back();
        let Some((start, allocation)) = found else {
            return Err(outside(address, length, "global"));
        };
        if allocation.is_constant && !is_host {
            return Err(Fault::new(format!("{address:#x} is constant and written")));
        }
        slice_mut(&mut allocation.bytes, address - start, length)
            .ok_or_else(|| outside(address, length, "global"))
    }

    pub(crate) fn is_constant(&self, address: u64) -> bool {
        let found = self.allocations.range(..=address).next_back();
        found.is_some_and(|(start, allocation)| {
            allocation.is_constant && address - start < allocation.bytes.len() as u64
        })
    }
}

/// Returns the error of an access to memory that is not there.
pub(crate) fn outside(address: u64, length: u64, memory: &str) -> Fault {
    Fault::new(format!("{length} bytes at {address:#x} are outside of the {memory} memory"))
}

/// Returns a part of `bytes` if it is inside.
pub(crate) fn slice(bytes: &[u8], start: u64, length: u64) -> Option<&[u8]> {
    let start = usize::try_from(start).ok()?;
    bytes.get(start..start.checked_add(usize::try_from(length).ok()?)?)
}

/// Returns a part of `bytes` to write to, if it is inside.
pub(crate) fn slice_mut(bytes: &mut [u8], start: u64, length: u64) -> Option<&mut [u8]> {
    let start = usize::try_from(start).ok()?;
    bytes.get_mut(start..start.checked_add(usize::try_from(length).ok()?)?)
}
