#pragma once

#include <cstdint>

namespace llvm {
class Module;
} // namespace llvm

namespace weft {

// Moves local constants of more than Limit bytes from constant memory to global memory.
//
// clang puts each constant with a known content into constant memory, also a table that is
// declared `static const __device__`, which NVIDIA's compiler puts into global memory. Constant
// memory has 64 KiB for all units of an image together, and nvlink refuses more. A variable stays
// where an instruction needs its address in constant memory itself; reads follow the move.
void moveLargeConstants(llvm::Module &M, uint64_t Limit);

} // namespace weft
