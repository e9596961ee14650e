// Calls whose type and whose callee's type name their structures differently.

#pragma once

#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

namespace weft {

// Gives `Call` the function type `Wanted` if that differs from its own in nothing but which of
// several equal structures the result is. Says whether the call has the type now.
bool adaptCall(llvm::CallBase &Call, llvm::FunctionType *Wanted);

// Adapts every call of a known function. LLVM's IR mover takes the first structure of the
// destination that has the same elements for any imported one, and LLVM does not inline a call
// whose type is not its callee's.
void adaptCalls(llvm::Module &M);

} // namespace weft
