// The start of LLVM.

#pragma once

namespace weft {

// Runs LLVM's initializers of static variables, unless that has happened. Every function that works
// on LLVM without a context calls it first; a context starts LLVM before it is made.
void startLLVM();

} // namespace weft
