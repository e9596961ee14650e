// Indirect calls whose targets are all known become direct calls. See src/inline/mod.rs for why.

#include "known_targets.h"

#include "call_types.h"

#include <optional>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/CallPromotionUtils.h"

using namespace llvm;

namespace {

// More targets than this are left to the pointer: each is a comparison and a copy of the body.
constexpr unsigned MostTargets = 4;
// Number of phis and selects that are followed.
constexpr unsigned MostSteps = 16;

// The constants that `V` can be, or nothing when it can be anything else.
bool constantsOf(Value *V, SetVector<Constant *> &Constants) {
  SmallPtrSet<Value *, 8> Seen;
  SmallVector<Value *, 8> Open = {V};
  for (unsigned Step = 0; !Open.empty(); ++Step) {
    Value *Next = Open.pop_back_val();
    if (Step == MostSteps)
      return false;
    if (!Seen.insert(Next).second)
      continue;
    if (auto *Known = dyn_cast<Constant>(Next)) {
      // Poison and undef may be taken to be any of the others.
      if (!isa<UndefValue>(Known))
        Constants.insert(Known);
    } else if (auto *Phi = dyn_cast<PHINode>(Next)) {
      append_range(Open, Phi->incoming_values());
    } else if (auto *Choice = dyn_cast<SelectInst>(Next)) {
      Open.push_back(Choice->getTrueValue());
      Open.push_back(Choice->getFalseValue());
    } else {
      return false;
    }
  }
  return !Constants.empty();
}

// A tree of phis and selects over constants, again with what `At` makes of each constant. It is
// what lets a later pass see, at the end of each branch, which constant it was.
class Mirror {
public:
  Mirror(Type *Result, function_ref<Constant *(Constant *)> At) : Result(Result), At(At) {}

  Value *of(Value *V) {
    if (auto *Known = dyn_cast<Constant>(V))
      return isa<UndefValue>(Known) ? PoisonValue::get(Result) : At(Known);
    if (Value *Made = Mirrored.lookup(V))
      return Made;
    if (auto *Choice = dyn_cast<SelectInst>(V)) {
      Value *True = of(Choice->getTrueValue()), *False = of(Choice->getFalseValue());
      auto *Made = SelectInst::Create(Choice->getCondition(), True, False, "",
                                      std::next(Choice->getIterator()));
      return Mirrored[V] = Made;
    }
    auto *Phi = cast<PHINode>(V);
    auto *Made = PHINode::Create(Result, Phi->getNumIncomingValues(), "", Phi->getIterator());
    Mirrored[V] = Made;
    for (unsigned Position = 0; Position != Phi->getNumIncomingValues(); ++Position)
      Made->addIncoming(of(Phi->getIncomingValue(Position)), Phi->getIncomingBlock(Position));
    return Made;
  }

private:
  Type *Result;
  function_ref<Constant *(Constant *)> At;
  DenseMap<Value *, Value *> Mirrored;
};

// The functions that a called pointer can be.
struct Known {
  // The tree over constants: the pointer itself, or the table that it is loaded from.
  Value *Tree;
  // Offset in the table, when the pointer is loaded.
  std::optional<APInt> Offset;
  SetVector<Function *> Targets;

  Constant *entryOf(Constant *Leaf, Type *Type, const DataLayout &Layout) const {
    return Offset ? ConstantFoldLoadFromConstPtr(Leaf, Type, *Offset, Layout) : Leaf;
  }
};

// The functions that `Called` can be, if they are known: one of some constants, or the entry that a
// load at a constant offset finds in one of some constant tables.
std::optional<Known> knownOf(Value *Called, const DataLayout &Layout) {
  Known Result = {Called, std::nullopt, {}};
  if (auto *Load = dyn_cast<LoadInst>(Called)) {
    if (!Load->isSimple())
      return std::nullopt;
    Result.Offset.emplace(Layout.getIndexTypeSizeInBits(Load->getPointerOperandType()), 0);
    Result.Tree = Load->getPointerOperand()->stripAndAccumulateConstantOffsets(
        Layout, *Result.Offset, /*AllowNonInbounds=*/true);
  }
  SetVector<Constant *> Leaves;
  if (!constantsOf(Result.Tree, Leaves))
    return std::nullopt;
  for (Constant *Leaf : Leaves) {
    Constant *Entry = Result.entryOf(Leaf, Called->getType(), Layout);
    auto *Target = Entry ? dyn_cast<Function>(Entry->stripPointerCasts()) : nullptr;
    if (!Target)
      return std::nullopt;
    Result.Targets.insert(Target);
  }
  if (Result.Targets.size() > MostTargets)
    return std::nullopt;
  return Result;
}

// Whether `Call` can call each of the targets. Their types may differ from the call's in names.
bool isPromotable(CallBase &Call, const SetVector<Function *> &Targets) {
  FunctionType *Common = Targets.front()->getFunctionType();
  const bool IsCommon =
      all_of(Targets, [&](Function *Target) { return Target->getFunctionType() == Common; });
  if (IsCommon)
    weft::adaptCall(Call, Common);
  return all_of(Targets, [&](Function *Target) { return isLegalToPromote(Call, Target); });
}

} // namespace

PreservedAnalyses weft::PromoteKnownTargets::run(Function &F, FunctionAnalysisManager &) {
  SmallVector<CallBase *, 4> Indirect;
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallInst>(&I); Call && Call->isIndirectCall())
      Indirect.push_back(Call);
  bool Changed = false;
  const DataLayout &Layout = F.getDataLayout();
  for (CallBase *Call : Indirect) {
    Value *Called = Call->getCalledOperand();
    std::optional<Known> Found = knownOf(Called, Layout);
    if (!Found || !isPromotable(*Call, Found->Targets))
      continue;
    auto Entry = [&](Constant *Leaf) { return Found->entryOf(Leaf, Called->getType(), Layout); };
    if (Found->Offset)
      Call->setCalledOperand(Mirror(Called->getType(), Entry).of(Found->Tree));
    // The last target needs no comparison, as there is no other.
    while (Found->Targets.size() > 1)
      promoteCallWithIfThenElse(*Call, Found->Targets.pop_back_val());
    promoteCall(*Call, Found->Targets.front());
    Changed = true;
  }
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
