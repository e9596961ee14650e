#pragma once

namespace llvm {
class Module;
} // namespace llvm

namespace weft {

// Writes clang's intrinsics of atomic operations in the scope of a block (atomicAdd_block and its
// like) as LLVM's own instructions.
//
// No pass knows the intrinsics, so their addresses stay generic, and ptxas makes a loop for the
// case that a generic address is one of shared memory. LLVM's NVPTX backend gives atomic
// instructions the wider scope of the device, which costs nothing: a block's shared memory has one
// scope, and atomic operations on global memory go to the cache of the device in any case. The
// intrinsics in the scope of the system stay, as the device's is narrower.
void openScopedAtomics(llvm::Module &M);

} // namespace weft
