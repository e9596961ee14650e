// The start of LLVM, which an executable puts off until it needs LLVM: see crates/llvm-start.

#include "start.h"

#include <cstddef>
#include <cstdint>

using Initializer = void (*)();

// Both ends of the section that the linker made for an executable. A program that is linked without
// the script has none, and both are null: the C library has run its initializers before `main`.
extern "C" __attribute__((weak, visibility("hidden")))
const Initializer __start_weft_llvm_initializers[];
extern "C" __attribute__((weak, visibility("hidden")))
const Initializer __stop_weft_llvm_initializers[];

void weft::startLLVM() {
  // C++ lets one thread initialize the variable, and the others wait.
  static const bool HasStarted = [] {
    // As numbers, because a compiler may take addresses of two variables for different ones.
    const auto Begin = reinterpret_cast<uintptr_t>(__start_weft_llvm_initializers);
    const auto End = reinterpret_cast<uintptr_t>(__stop_weft_llvm_initializers);
    const size_t Count = (End - Begin) / sizeof(Initializer);
    for (size_t Position = 0; Position != Count; ++Position)
      __start_weft_llvm_initializers[Position]();
    return true;
  }();
  (void)HasStarted;
}
