#include "local_choices.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace {

// Choices that lie upon each other. With one more, twice as many variables are read.
constexpr unsigned MostChoices = 3;
// The bytes that are copied from a chosen variable at once.
constexpr uint64_t MostBytes = 64;
constexpr uint64_t WordBytes = 4;

// An address as a base and a known distance from it in bytes.
struct Place {
  Value *Base;
  uint64_t Offset;
};

Place placeOf(Value *Address, uint64_t Offset, const DataLayout &Layout) {
  APInt Distance(Layout.getIndexTypeSizeInBits(Address->getType()), 0);
  Value *Base =
      Address->stripAndAccumulateConstantOffsets(Layout, Distance, /*AllowNonInbounds=*/true);
  if (Base->getType() != Address->getType())
    return {Address, Offset};
  return {Base, Offset + Distance.getZExtValue()};
}

// Whether `Size` bytes at an address are in a variable on the stack, whichever the selects choose.
bool isLocal(Value *Address, uint64_t Offset, uint64_t Size, unsigned Choices,
             const DataLayout &Layout) {
  const Place At = placeOf(Address, Offset, Layout);
  if (auto *Variable = dyn_cast<AllocaInst>(At.Base)) {
    const std::optional<TypeSize> Room = Variable->getAllocationSize(Layout);
    return Variable->isStaticAlloca() && Room && !Room->isScalable() && At.Offset <= *Room &&
           Size <= *Room - At.Offset;
  }
  auto *Choice = dyn_cast<SelectInst>(At.Base);
  return Choice && Choices < MostChoices &&
         isLocal(Choice->getTrueValue(), At.Offset, Size, Choices + 1, Layout) &&
         isLocal(Choice->getFalseValue(), At.Offset, Size, Choices + 1, Layout);
}

// Whether a read of `Size` bytes by `Reader` can become reads of all variables that may hold its
// address.
bool isLocalChoice(const Instruction &Reader, Value *Address, uint64_t Size,
                   const DataLayout &Layout) {
  const Place At = placeOf(Address, 0, Layout);
  if (isa<SelectInst>(At.Base))
    return isLocal(Address, 0, Size, 0, Layout);
  // Then the variables are read where the paths that choose one end, so nothing may write until the
  // chosen one would have been read.
  auto *Choice = dyn_cast<PHINode>(At.Base);
  if (!Choice || Choice->getParent() != Reader.getParent())
    return false;
  for (const Instruction *I = Choice; I != &Reader; I = I->getNextNode())
    if (I->mayWriteToMemory())
      return false;
  return all_of(Choice->incoming_values(), [&](Value *Chosen) {
    return isLocal(Chosen, At.Offset, Size, 1, Layout);
  });
}

// The value at an address that `isLocal`.
Value *readLocal(IRBuilder<> &Builder, Value *Address, uint64_t Offset, Type *Of,
                 const DataLayout &Layout) {
  const Place At = placeOf(Address, Offset, Layout);
  if (auto *Choice = dyn_cast<SelectInst>(At.Base)) {
    Value *First = readLocal(Builder, Choice->getTrueValue(), At.Offset, Of, Layout);
    Value *Second = readLocal(Builder, Choice->getFalseValue(), At.Offset, Of, Layout);
    return Builder.CreateSelect(Choice->getCondition(), First, Second);
  }
  // A variable that is not chosen may be aligned to less than the address that is read.
  const Align Known = commonAlignment(cast<AllocaInst>(At.Base)->getAlign(), At.Offset);
  Value *Element = Builder.CreatePtrAdd(At.Base, Builder.getInt64(At.Offset));
  return Builder.CreateAlignedLoad(Of, Element, Known);
}

// The value at an address that `isLocalChoice`.
Value *read(IRBuilder<> &Builder, Value *Address, uint64_t Offset, Type *Of,
            const DataLayout &Layout) {
  const Place At = placeOf(Address, Offset, Layout);
  auto *Choice = dyn_cast<PHINode>(At.Base);
  if (!Choice)
    return readLocal(Builder, Address, Offset, Of, Layout);
  PHINode *Value = PHINode::Create(Of, Choice->getNumIncomingValues(), "", Choice->getIterator());
  for (unsigned Path = 0; Path < Choice->getNumIncomingValues(); ++Path) {
    BasicBlock *From = Choice->getIncomingBlock(Path);
    // A switch can come by several paths from one block, and they must have one value.
    const int Earlier = Value->getBasicBlockIndex(From);
    if (Earlier >= 0) {
      Value->addIncoming(Value->getIncomingValue(Earlier), From);
      continue;
    }
    IRBuilder<> AtEnd(From->getTerminator());
    Value->addIncoming(readLocal(AtEnd, Choice->getIncomingValue(Path), At.Offset, Of, Layout),
                       From);
  }
  return Value;
}

bool replaceLoad(LoadInst &Load, const DataLayout &Layout) {
  const TypeSize Size = Layout.getTypeStoreSize(Load.getType());
  if (!Load.isSimple() || Load.getType()->isAggregateType() || Size.isScalable() ||
      !isLocalChoice(Load, Load.getPointerOperand(), Size, Layout))
    return false;
  IRBuilder<> Builder(&Load);
  Load.replaceAllUsesWith(read(Builder, Load.getPointerOperand(), 0, Load.getType(), Layout));
  Load.eraseFromParent();
  return true;
}

bool replaceCopy(MemCpyInst &Copy, const DataLayout &Layout) {
  const auto *Length = dyn_cast<ConstantInt>(Copy.getLength());
  if (!Length || Copy.isVolatile() || Length->getValue().ugt(MostBytes))
    return false;
  const uint64_t Size = Length->getZExtValue();
  if (Size % WordBytes != 0 || !isLocalChoice(Copy, Copy.getSource(), Size, Layout))
    return false;
  IRBuilder<> Builder(&Copy);
  const Align Known = Copy.getDestAlign().valueOrOne();
  SmallVector<Value *, MostBytes / WordBytes> Words;
  // All are read before the first is written: a structure may be copied to itself.
  for (uint64_t Offset = 0; Offset < Size; Offset += WordBytes)
    Words.push_back(read(Builder, Copy.getSource(), Offset, Builder.getInt32Ty(), Layout));
  for (auto [Position, Word] : enumerate(Words)) {
    const uint64_t Offset = Position * WordBytes;
    Value *Element = Builder.CreatePtrAdd(Copy.getDest(), Builder.getInt64(Offset));
    Builder.CreateAlignedStore(Word, Element, commonAlignment(Known, Offset));
  }
  Copy.eraseFromParent();
  return true;
}

} // namespace

PreservedAnalyses weft::ReadLocalChoices::run(Function &F, FunctionAnalysisManager &) {
  const DataLayout &Layout = F.getDataLayout();
  bool HasChanged = false;
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    if (auto *Load = dyn_cast<LoadInst>(&I))
      HasChanged |= replaceLoad(*Load, Layout);
    else if (auto *Copy = dyn_cast<MemCpyInst>(&I))
      HasChanged |= replaceCopy(*Copy, Layout);
  }
  if (!HasChanged)
    return PreservedAnalyses::all();
  PreservedAnalyses Kept;
  Kept.preserveSet<CFGAnalyses>();
  return Kept;
}
