// Uses of a variable's address after the variable changed its address space.

#pragma once

#include "llvm/IR/Value.h"

namespace weft {

// Whether every use of `Address`, which is in a specific address space, can become a use of an
// address in another one: reads, writes, copies, elements and generic addresses can. Writes cannot
// where the other one is not writable.
bool canMoveAddress(const llvm::Value &Address, bool IsWritable);

// Makes the uses of `Address`, all of which can move, uses of `Moved`. Users of constants that
// became unused are removed with them.
void replaceAddress(llvm::Value &Address, llvm::Value &Moved);

} // namespace weft
