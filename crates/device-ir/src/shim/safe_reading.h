// Reading of bitcode that may be damaged.

#pragma once

#include <cstddef>

#include "llvm/ADT/STLFunctionalExtras.h"

namespace weft {

// Runs `Reads` in this thread. Returns null if it came to its end, else the reason why it did not:
// LLVM crashed or gave up, or `Reads` allocated more than `Budget` bytes, freed ones included. The
// data that it was building is lost then.
const char *readSafely(std::size_t Budget, llvm::function_ref<void()> Reads);

} // namespace weft
