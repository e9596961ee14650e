#pragma once

namespace llvm {
class Module;
} // namespace llvm

namespace weft {

// Expands memset and memcpy of many bytes into stores of up to 16 bytes each.
//
// LLVM's NVPTX backend expands each one of more than 64 bytes into a loop over single bytes,
// regardless of the known alignment. This runs after the optimizer, which knows memset and memcpy
// better than stores.
void widenMemory(llvm::Module &M);

} // namespace weft
