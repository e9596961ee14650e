#include "scoped_atomics.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace {

constexpr AtomicOrdering Order = AtomicOrdering::Monotonic;

std::optional<AtomicRMWInst::BinOp> operationOf(const IntrinsicInst &Call) {
  switch (Call.getIntrinsicID()) {
  case Intrinsic::nvvm_atomic_add_gen_i_cta:
    return AtomicRMWInst::Add;
  case Intrinsic::nvvm_atomic_add_gen_f_cta:
    return AtomicRMWInst::FAdd;
  case Intrinsic::nvvm_atomic_exch_gen_i_cta:
    return AtomicRMWInst::Xchg;
  // clang names these two for unsigned numbers, too, and PTX of the intrinsics compares as signed.
  case Intrinsic::nvvm_atomic_max_gen_i_cta:
    return AtomicRMWInst::Max;
  case Intrinsic::nvvm_atomic_min_gen_i_cta:
    return AtomicRMWInst::Min;
  case Intrinsic::nvvm_atomic_inc_gen_i_cta:
    return AtomicRMWInst::UIncWrap;
  case Intrinsic::nvvm_atomic_dec_gen_i_cta:
    return AtomicRMWInst::UDecWrap;
  case Intrinsic::nvvm_atomic_and_gen_i_cta:
    return AtomicRMWInst::And;
  case Intrinsic::nvvm_atomic_or_gen_i_cta:
    return AtomicRMWInst::Or;
  case Intrinsic::nvvm_atomic_xor_gen_i_cta:
    return AtomicRMWInst::Xor;
  default:
    return std::nullopt;
  }
}

Value *open(IntrinsicInst &Call, SyncScope::ID Block) {
  IRBuilder<> Builder(&Call);
  if (Call.getIntrinsicID() == Intrinsic::nvvm_atomic_cas_gen_i_cta) {
    Value *Pair = Builder.CreateAtomicCmpXchg(Call.getArgOperand(0), Call.getArgOperand(1),
                                              Call.getArgOperand(2), MaybeAlign(), Order, Order,
                                              Block);
    return Builder.CreateExtractValue(Pair, 0);
  }
  if (const auto Operation = operationOf(Call))
    return Builder.CreateAtomicRMW(*Operation, Call.getArgOperand(0), Call.getArgOperand(1),
                                   MaybeAlign(), Order, Block);
  return nullptr;
}

} // namespace

void weft::openScopedAtomics(Module &M) {
  const SyncScope::ID Block = M.getContext().getOrInsertSyncScopeID("block");
  for (Function &F : M) {
    for (Instruction &I : make_early_inc_range(instructions(F))) {
      auto *Call = dyn_cast<IntrinsicInst>(&I);
      Value *Opened = Call ? open(*Call, Block) : nullptr;
      if (!Opened)
        continue;
      Call->replaceAllUsesWith(Opened);
      Call->eraseFromParent();
    }
  }
}
