#pragma once

#include "llvm/IR/PassManager.h"

namespace weft {

// Reads all of the variables on the stack that an address may be one of, and chooses among the
// values.
//
// A function that returns one of two references, as std::max does, and its like that return one of
// two structures by value, leave a choice between addresses. LLVM keeps variables whose addresses
// are chosen from in memory, which a thread has off the chip; values can be chosen from in
// registers.
struct ReadLocalChoices : llvm::PassInfoMixin<ReadLocalChoices> {
  llvm::PreservedAnalyses run(llvm::Function &F, llvm::FunctionAnalysisManager &);
};

} // namespace weft
