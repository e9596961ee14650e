// Changes of modules that several files need.

#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

namespace llvm {
class GlobalValue;
class Module;
} // namespace llvm

namespace weft {

// Makes a declaration of a definition. An alias is replaced, so `Global` is dead after the call.
void dropDefinition(llvm::GlobalValue &Global);

// Turns the aliases of functions in `M` that other modules see into declarations, except for the
// `Wanted` ones and the aliasees of other aliases.
void declareOtherAliases(llvm::Module &M, llvm::ArrayRef<llvm::GlobalValue *> Wanted);

// Keeps the module flags whose names fulfill `IsKept`, and removes the others.
void keepFlags(llvm::Module &M, llvm::function_ref<bool(llvm::StringRef)> IsKept);

} // namespace weft
