#include "wide_memory.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace {

// Bytes that the backend fills and copies without a loop, and with words as wide as it can.
constexpr uint64_t MostInBackend = 64;
// The widest access of a thread.
constexpr uint64_t MostInWord = 16;
// Words that are written one after the other; more than that go round a loop of so many.
constexpr uint64_t WordsPerRound = 32;
// Words that are read before the first of them is written, so that one does not wait for the other.
constexpr uint64_t WordsAtOnce = 4;

Type *wordOf(uint64_t Bytes, LLVMContext &Context) {
  Type *Word = Type::getInt32Ty(Context);
  if (Bytes == MostInWord)
    return FixedVectorType::get(Word, 4);
  return IntegerType::get(Context, Bytes * 8);
}

// Known alignment of an address. A variable on the stack gets the one that suits.
Align alignmentOf(Value *Address, MaybeAlign Said, const DataLayout &Layout,
                  const Instruction &At) {
  const bool IsOwn = isa<AllocaInst>(Address->stripInBoundsOffsets());
  const Align Found = IsOwn ? getOrEnforceKnownAlignment(Address, Align(MostInWord), Layout, &At)
                            : getKnownAlignment(Address, Layout, &At);
  return std::max(Found, Said.valueOrOne());
}

// One memset or memcpy.
struct Block {
  MemIntrinsic &Old;
  Value *Destination;
  Value *Source; // Of a memcpy.
  Value *Byte;   // Of a memset.
  Align Known;

  // Writes `Count` words of `Size` bytes from `Start` bytes on.
  void write(IRBuilder<> &Builder, Value *Start, uint64_t Count, uint64_t Size) const {
    Type *Word = wordOf(Size, Builder.getContext());
    Value *Filling = Source ? nullptr : repeated(Builder, Word);
    const Align At = std::min(Known, Align(Size));
    auto place = [&](Value *Base, uint64_t Index) {
      return Builder.CreatePtrAdd(Builder.CreatePtrAdd(Base, Start),
                                  Builder.getInt64(Index * Size));
    };
    for (uint64_t First = 0; First < Count; First += WordsAtOnce) {
      const auto Group = seq(First, std::min(First + WordsAtOnce, Count));
      SmallVector<Value *, WordsAtOnce> Values;
      for (uint64_t Index : Group)
        Values.push_back(Source ? Builder.CreateAlignedLoad(Word, place(Source, Index), At)
                                : Filling);
      for (uint64_t Index : Group)
        Builder.CreateAlignedStore(Values[Index - First], place(Destination, Index), At);
    }
  }

private:
  Value *repeated(IRBuilder<> &Builder, Type *Word) const {
    const unsigned Bits = Word->getScalarSizeInBits();
    Value *Wide = Builder.CreateZExt(Byte, Builder.getIntNTy(Bits));
    Value *All = Builder.CreateMul(Wide, Builder.getInt(APInt::getSplat(Bits, APInt(8, 1))));
    auto *Vector = dyn_cast<FixedVectorType>(Word);
    return Vector ? Builder.CreateVectorSplat(Vector->getNumElements(), All) : All;
  }
};

void widen(const Block &Wanted, uint64_t Length) {
  const uint64_t Size = std::min<uint64_t>(Wanted.Known.value(), MostInWord);
  const uint64_t RoundBytes = Size * WordsPerRound;
  const uint64_t Rounds = Length > RoundBytes ? Length / RoundBytes : 0;
  if (Rounds > 0) {
    Value *Last = ConstantInt::get(Type::getInt64Ty(Wanted.Old.getContext()), Rounds);
    auto [Body, Round] = SplitBlockAndInsertSimpleForLoop(Last, Wanted.Old.getIterator());
    IRBuilder<> Builder(Body);
    Value *Start = Builder.CreateMul(Round, Builder.getInt64(RoundBytes));
    Wanted.write(Builder, Start, WordsPerRound, Size);
  }
  IRBuilder<> Builder(&Wanted.Old);
  uint64_t Done = Rounds * RoundBytes;
  for (uint64_t Part = Size; Part > 0; Part /= 2) {
    const uint64_t Count = (Length - Done) / Part;
    Wanted.write(Builder, Builder.getInt64(Done), Count, Part);
    Done += Count * Part;
  }
  Wanted.Old.eraseFromParent();
}

void widen(Instruction &I, const DataLayout &Layout) {
  auto &Old = cast<MemIntrinsic>(I);
  auto *Set = dyn_cast<MemSetInst>(&Old);
  auto *Copy = dyn_cast<MemCpyInst>(&Old);
  const auto *Length = dyn_cast<ConstantInt>(Old.getLength());
  if (!Length || Old.isVolatile() || Length->getValue().ule(MostInBackend))
    return;
  Align Known = alignmentOf(Old.getDest(), Old.getDestAlign(), Layout, I);
  if (Copy)
    Known = std::min(Known, alignmentOf(Copy->getSource(), Copy->getSourceAlign(), Layout, I));
  if (Known.value() == 1)
    return;
  Value *Source = Copy ? Copy->getSource() : nullptr, *Byte = Set ? Set->getValue() : nullptr;
  widen({Old, Old.getDest(), Source, Byte, Known}, Length->getZExtValue());
}

} // namespace

void weft::widenMemory(Module &M) {
  for (Function &F : M) {
    SmallVector<Instruction *, 8> Found;
    for (Instruction &I : instructions(F))
      if (isa<MemSetInst>(I) || isa<MemCpyInst>(I))
        Found.push_back(&I);
    for (Instruction *I : Found)
      widen(*I, M.getDataLayout());
  }
}
