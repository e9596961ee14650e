#include "local_arrays.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/UnrollLoop.h"

using namespace llvm;

namespace {

// Instructions that an unrolled loop may have.
constexpr uint64_t MostInstructions = 4096;
// Half of the registers that a thread can have.
constexpr uint64_t MostBytes = 512;

bool fitsIntoRegisters(const AllocaInst &Array, const DataLayout &Layout) {
  const std::optional<TypeSize> Size = Array.getAllocationSize(Layout);
  return Array.isStaticAlloca() && Size && !Size->isScalable() && *Size <= MostBytes;
}

// Whether an address in the loop is one of a small array on the stack, with an index that changes.
bool isThroughLocalArray(const Instruction &I, const Loop &L) {
  const auto *Address = dyn_cast<GetElementPtrInst>(&I);
  if (!Address || all_of(Address->indices(), [&](const Use &It) { return L.isLoopInvariant(It); }))
    return false;
  const auto *Array = dyn_cast<AllocaInst>(getUnderlyingObject(Address->getPointerOperand()));
  return Array && fitsIntoRegisters(*Array, I.getDataLayout());
}

bool goesThroughLocalArray(const Loop &L) {
  return any_of(L.blocks(), [&](const BasicBlock *Block) {
    return any_of(*Block, [&](const Instruction &I) { return isThroughLocalArray(I, L); });
  });
}

uint64_t instructions(const Loop &L) {
  uint64_t Count = 0;
  for (const BasicBlock *Block : L.blocks())
    Count += Block->size();
  return Count;
}

} // namespace

PreservedAnalyses weft::UnrollLocalArrays::run(Loop &L, LoopAnalysisManager &,
                                               LoopStandardAnalysisResults &Analyses,
                                               LPMUpdater &) {
  // A choice of the source's about unrolling holds.
  if (!L.isInnermost() || hasUnrollTransformation(&L) != TM_Unspecified)
    return PreservedAnalyses::all();
  const unsigned Rounds = Analyses.SE.getSmallConstantTripCount(&L);
  if (Rounds > 1 && Rounds * instructions(L) <= MostInstructions && goesThroughLocalArray(L))
    addStringMetadataToLoop(&L, "llvm.loop.unroll.full", 1);
  return PreservedAnalyses::all();
}
