#pragma once

namespace llvm {
class Module;
} // namespace llvm

namespace weft {

// Writes memset and memcpy of many bytes as stores of up to 16 bytes at once.
//
// LLVM's NVPTX backend makes a loop of single bytes of each that has more than 64 bytes, whatever
// is known of their alignment. It comes after the optimizer, which knows memset and memcpy better
// than stores.
void widenMemory(llvm::Module &M);

} // namespace weft
