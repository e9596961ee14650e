// Facts of functions that the thin link asks for, and the knowledge about the whole program that it
// brings into one module. Declared with contracts in src/handles/function.rs and src/program.rs.

#include <cstddef>

#include "llvm-c/Core.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/TypeMetadataUtils.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/MD5.h"
#include "llvm/Transforms/Utils/CallPromotionUtils.h"

using namespace llvm;

namespace {

// Facts of a function that concern the whole program. `FunctionFacts` in src/handles/function.rs.
struct FunctionFacts {
  uint8_t Memory;
  uint8_t OwnMemory;
  bool HasConstantResult;
  uint64_t ConstantResult;
};
constexpr size_t FunctionFactsLayout[] = {16, 0, 1, 2, 8};
static_assert(sizeof(FunctionFacts) == FunctionFactsLayout[0] &&
              offsetof(FunctionFacts, Memory) == FunctionFactsLayout[1] &&
              offsetof(FunctionFacts, OwnMemory) == FunctionFactsLayout[2] &&
              offsetof(FunctionFacts, HasConstantResult) == FunctionFactsLayout[3] &&
              offsetof(FunctionFacts, ConstantResult) == FunctionFactsLayout[4]);

// Outcome of virtual calls of a type through a slot. `VirtualCallFacts` in src/program.rs.
struct VirtualCallFacts {
  uint64_t TypeId;
  uint64_t Offset;
  const char *const *Names;
  size_t NameCount;
  uint64_t Result;
};
constexpr size_t VirtualCallFactsLayout[] = {40, 0, 8, 16, 24, 32};
static_assert(sizeof(VirtualCallFacts) == VirtualCallFactsLayout[0] &&
              offsetof(VirtualCallFacts, TypeId) == VirtualCallFactsLayout[1] &&
              offsetof(VirtualCallFacts, Offset) == VirtualCallFactsLayout[2] &&
              offsetof(VirtualCallFacts, Names) == VirtualCallFactsLayout[3] &&
              offsetof(VirtualCallFacts, NameCount) == VirtualCallFactsLayout[4] &&
              offsetof(VirtualCallFacts, Result) == VirtualCallFactsLayout[5]);

// Bits of weft_artifact::MemoryEffects: pairs of read and write.
constexpr unsigned Arguments = 0, Inaccessible = 2, Other = 4;

uint8_t bits(ModRefInfo Access, unsigned Shift) {
  return (isRefSet(Access) ? 1 : 0) << Shift | (isModSet(Access) ? 2 : 0) << Shift;
}

uint8_t bitsOf(MemoryEffects Effects) {
  uint8_t Result = 0;
  for (IRMemLocation Location : MemoryEffects::locations()) {
    const ModRefInfo Access = Effects.getModRef(Location);
    switch (Location) {
    case IRMemLocation::ArgMem:
      Result |= bits(Access, Arguments);
      break;
    case IRMemLocation::ErrnoMem:
    case IRMemLocation::Other:
      Result |= bits(Access, Other);
      break;
    default:
      Result |= bits(Access, Inaccessible);
    }
  }
  return Result;
}

MemoryEffects effectsOf(uint8_t Bits) {
  auto access = [&](unsigned Shift) {
    ModRefInfo Access = ModRefInfo::NoModRef;
    if (Bits >> Shift & 1)
      Access |= ModRefInfo::Ref;
    if (Bits >> Shift & 2)
      Access |= ModRefInfo::Mod;
    return Access;
  };
  MemoryEffects Effects = MemoryEffects::none();
  for (IRMemLocation Location : MemoryEffects::locations()) {
    const bool IsOther = Location == IRMemLocation::ErrnoMem || Location == IRMemLocation::Other;
    const unsigned Shift = Location == IRMemLocation::ArgMem ? Arguments
                           : IsOther                         ? Other
                                                             : Inaccessible;
    Effects = Effects.getWithModRef(Location, access(Shift));
  }
  return Effects;
}

// Effects of an access through a pointer, as callers of the function that makes it see them.
MemoryEffects accessThrough(const Value *Pointer, ModRefInfo Access) {
  const Value *Object = getUnderlyingObjectAggressive(Pointer);
  if (isa<AllocaInst>(Object))
    return MemoryEffects::none();
  if (isa<Argument>(Object))
    return MemoryEffects::argMemOnly(Access);
  auto *Variable = dyn_cast<GlobalVariable>(Object);
  if (Variable && Variable->isConstant() && !Variable->isExternallyInitialized() &&
      !isModSet(Access))
    return MemoryEffects::none();
  MemoryEffects Effects = MemoryEffects::otherMemOnly(Access);
  if (!isIdentifiedObject(Object))
    Effects |= MemoryEffects::argMemOnly(Access);
  return Effects;
}

// Effects of a call on memory, but for those of the function that it names.
MemoryEffects ownEffectsOfCall(const CallBase &Call) {
  MemoryEffects Effects = MemoryEffects::none();
  const auto *Callee = dyn_cast<GlobalValue>(Call.getCalledOperand());
  const bool IsListed = Callee && !(isa<Function>(Callee) && cast<Function>(Callee)->isIntrinsic());
  const MemoryEffects All = IsListed ? MemoryEffects::none() : Call.getMemoryEffects();
  Effects |= All.getWithoutLoc(IRMemLocation::ArgMem);
  // Other memory may be what our arguments point to, if the pointers were put somewhere.
  Effects |= MemoryEffects::argMemOnly(All.getModRef(IRMemLocation::Other));
  for (const Use &Argument : Call.args()) {
    if (!Argument->getType()->isPtrOrPtrVectorTy())
      continue;
    ModRefInfo Access = All.getModRef(IRMemLocation::ArgMem);
    // The caller copies it.
    if (Call.isByValArgument(Call.getArgOperandNo(&Argument)))
      Access |= ModRefInfo::Ref;
    if (!isNoModRef(Access))
      Effects |= accessThrough(Argument, Access);
  }
  return Effects;
}

MemoryEffects ownEffects(const Function &F) {
  MemoryEffects Effects = MemoryEffects::none();
  for (const Instruction &I : instructions(F)) {
    if (auto *Call = dyn_cast<CallBase>(&I)) {
      Effects |= ownEffectsOfCall(*Call);
      continue;
    }
    if (!I.mayReadOrWriteMemory())
      continue;
    const std::optional<MemoryLocation> Location = MemoryLocation::getOrNone(&I);
    // Volatile accesses and those that order others do more than they say.
    if (!Location || I.isVolatile() || (I.isAtomic() && !isa<AtomicRMWInst>(I)))
      return MemoryEffects::unknown();
    ModRefInfo Access = I.mayReadFromMemory() ? ModRefInfo::Ref : ModRefInfo::NoModRef;
    if (I.mayWriteToMemory())
      Access |= ModRefInfo::Mod;
    auto *Update = dyn_cast<AtomicRMWInst>(&I);
    if (Update && isStrongerThanMonotonic(Update->getOrdering()))
      return MemoryEffects::unknown();
    Effects |= accessThrough(Location->Ptr, Access);
  }
  return Effects;
}

// The function called `Name`, declared like what `Call` calls if the module does not know it.
Function *functionFor(Module &M, StringRef Name, const CallBase &Call) {
  if (GlobalValue *Known = M.getNamedValue(Name))
    return dyn_cast<Function>(Known);
  Function *F = Function::Create(Call.getFunctionType(), GlobalValue::ExternalLinkage,
                                 Call.getCalledOperand()->getType()->getPointerAddressSpace(),
                                 Name, &M);
  // The call's attributes include the passing of arguments.
  F->setAttributes(Call.getAttributes().removeFnAttributes(M.getContext()));
  F->setCallingConv(Call.getCallingConv());
  if (Call.isConvergent())
    F->setConvergent();
  if (Call.doesNotThrow())
    F->setDoesNotThrow();
  return F;
}

// Makes `Call` call one of the functions called `Names`.
void makeDirect(Module &M, CallBase &Call, ArrayRef<const char *> Names) {
  SmallVector<Function *, 4> Targets;
  for (const char *Name : Names) {
    Function *Target = functionFor(M, Name, Call);
    if (!Target || !isLegalToPromote(Call, Target))
      return;
    Targets.push_back(Target);
  }
  for (Function *Target : drop_end(Targets))
    promoteCallWithIfThenElse(Call, Target);
  promoteCall(Call, Targets.back());
}

void makeConstant(CallBase &Call, uint64_t Result) {
  auto *Type = dyn_cast<IntegerType>(Call.getType());
  if (!Type || !isa<CallInst>(Call))
    return;
  const APInt Value(64, Result);
  Call.replaceAllUsesWith(ConstantInt::get(Type, Value.zextOrTrunc(Type->getBitWidth())));
  Call.eraseFromParent();
}

bool isTypeTest(const Instruction &I) {
  auto *Call = dyn_cast<CallInst>(&I);
  const Intrinsic::ID Kind = Call ? Call->getIntrinsicID() : Intrinsic::not_intrinsic;
  return Kind == Intrinsic::type_test || Kind == Intrinsic::public_type_test;
}

} // namespace

extern "C" {

FunctionFacts weft_function_facts(LLVMValueRef Value) {
  const Function &F = *cast<Function>(unwrap(Value));
  if (F.isDeclaration())
    return {};
  FunctionFacts Facts = {bitsOf(F.getMemoryEffects()), bitsOf(ownEffects(F)), false, 0};
  const Instruction &First = *F.getEntryBlock().getFirstNonPHIOrDbg();
  if (auto *Return = dyn_cast<ReturnInst>(&First))
    if (auto *Result = dyn_cast_or_null<ConstantInt>(Return->getReturnValue())) {
      Facts.HasConstantResult = Result->getBitWidth() <= 64;
      Facts.ConstantResult = Facts.HasConstantResult ? Result->getZExtValue() : 0;
    }
  return Facts;
}

void weft_add_attributes(LLVMValueRef Value, bool NoUnwind, bool NoRecurse, bool WillReturn,
                         uint8_t Memory) {
  Function &F = *cast<Function>(unwrap(Value));
  if (NoUnwind)
    F.setDoesNotThrow();
  if (NoRecurse)
    F.setDoesNotRecurse();
  if (WillReturn)
    F.setWillReturn();
  const MemoryEffects Known = F.getMemoryEffects(), Both = Known & effectsOf(Memory);
  if (Both != Known)
    F.setMemoryEffects(Both);
}

void weft_resolve_virtual_calls(LLVMModuleRef Raw, const VirtualCallFacts *Outcomes,
                                size_t Count) {
  Module &M = *unwrap(Raw);
  SmallVector<CallInst *, 16> Tests;
  SmallVector<std::pair<CallBase *, const VirtualCallFacts *>, 16> Calls;
  SmallPtrSet<CallBase *, 16> Seen;
  for (Function &F : M) {
    SmallVector<CallInst *, 4> Own;
    for (Instruction &I : instructions(F))
      if (isTypeTest(I))
        Own.push_back(cast<CallInst>(&I));
    if (Own.empty())
      continue;
    DominatorTree Tree(F);
    for (CallInst *Test : Own) {
      Tests.push_back(Test);
      auto *Id = dyn_cast<MDString>(
          cast<MetadataAsValue>(Test->getArgOperand(1))->getMetadata());
      if (!Id)
        continue;
      const uint64_t TypeId = MD5Hash(Id->getString());
      SmallVector<DevirtCallSite, 4> Sites;
      SmallVector<CallInst *, 4> Assumptions;
      findDevirtualizableCallsForTypeTest(Sites, Assumptions, Test, Tree);
      for (const DevirtCallSite &Site : Sites)
        for (const VirtualCallFacts &Outcome : ArrayRef(Outcomes, Count))
          if (Outcome.TypeId == TypeId && Outcome.Offset == Site.Offset &&
              Seen.insert(&Site.CB).second)
            Calls.emplace_back(&Site.CB, &Outcome);
    }
  }
  for (auto [Call, Outcome] : Calls) {
    if (Outcome->NameCount == 0)
      makeConstant(*Call, Outcome->Result);
    else
      makeDirect(M, *Call, ArrayRef(Outcome->Names, Outcome->NameCount));
  }
  // The results of the tests are no longer needed.
  for (CallInst *Test : Tests) {
    for (User *Use : make_early_inc_range(Test->users()))
      if (auto *Assumption = dyn_cast<AssumeInst>(Use))
        Assumption->eraseFromParent();
    if (Test->use_empty())
      Test->eraseFromParent();
  }
}

} // extern "C"
