// A pass of the pipeline in optimize.cpp.

#pragma once

#include "llvm/IR/PassManager.h"

namespace weft {

// Turns an indirect call into a chain of direct ones when every function that its pointer can be is
// known: constants that meet in phis and selects, or entries of constant tables, as virtual tables
// are.
struct PromoteKnownTargets : llvm::PassInfoMixin<PromoteKnownTargets> {
  llvm::PreservedAnalyses run(llvm::Function &F, llvm::FunctionAnalysisManager &);
};

} // namespace weft
