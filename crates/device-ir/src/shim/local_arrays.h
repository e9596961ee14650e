#pragma once

#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class LPMUpdater;
class Loop;
} // namespace llvm

namespace weft {

// Asks for the unrolling of loops that go through an array on the stack.
//
// Registers have no index: an array whose index a loop computes stays in local memory, which is off
// the chip, and every access of it goes there. Other loops stay as they are until ptxas sees them,
// but it finds the array in local memory already. A loop here may become as large as one with
// `#pragma unroll`, if its array would fit into registers.
struct UnrollLocalArrays : llvm::PassInfoMixin<UnrollLocalArrays> {
  llvm::PreservedAnalyses run(llvm::Loop &L, llvm::LoopAnalysisManager &,
                              llvm::LoopStandardAnalysisResults &Analyses, llvm::LPMUpdater &);
};

} // namespace weft
