// Work of LLVM on bitcode that may be damaged.

#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <string>

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

namespace weft {

// Budget of work whose memory is not limited.
constexpr std::size_t NoLimit = std::numeric_limits<std::size_t>::max();

// Runs `Work` in this thread. Returns nothing if it came to its end, else the reason why it did
// not: LLVM crashed or gave up, or `Work` allocated more than `Budget` bytes, freed ones included.
// The data that it was changing is lost then, and may not even be freed.
std::optional<std::string> runGuarded(std::size_t Budget, llvm::function_ref<void()> Work);

// As `runGuarded`, for work that can also fail without harm to its data: null for success, else the
// reason, which `weft_free` frees. `HasCrashed` says whether the data is lost.
char *guarded(std::size_t Budget, bool &HasCrashed, llvm::function_ref<llvm::Error()> Work);

// LLVM's handler of errors that it cannot go on after: ends the guarded work of the thread, or else
// the process.
[[noreturn]] void giveUp(void *, const char *Reason, bool);

} // namespace weft
