#include "odd_integers.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/GlobalVariable.h"

using namespace llvm;

namespace {

// The widest integer for which PTX has a type. LLVM prints wider ones as arrays of bytes.
constexpr unsigned WidestPrinted = 64;

// The integer type that replaces the type of `V`, or null.
IntegerType *widened(const GlobalVariable &V, const DataLayout &Layout) {
  auto *Present = dyn_cast<IntegerType>(V.getValueType());
  if (!Present || Present->getBitWidth() > WidestPrinted)
    return nullptr;
  const uint64_t Bits = Layout.getTypeAllocSizeInBits(Present);
  return Bits == Present->getBitWidth() ? nullptr : IntegerType::get(V.getContext(), Bits);
}

// `Initial` as a value of the wider type `Wanted`; null for a part of an address, which PTX cannot
// say.
Constant *extended(const Constant &Initial, IntegerType *Wanted) {
  // Shared memory has no other initial value.
  if (isa<UndefValue>(Initial))
    return UndefValue::get(Wanted);
  auto *Number = dyn_cast<ConstantInt>(&Initial);
  return Number ? ConstantInt::get(Wanted, Number->getValue().zext(Wanted->getBitWidth()))
                : nullptr;
}

} // namespace

void weft::widenOddIntegers(Module &M) {
  for (GlobalVariable &V : M.globals()) {
    IntegerType *Wanted = widened(V, M.getDataLayout());
    if (!Wanted)
      continue;
    const bool IsDeclaration = V.isDeclaration();
    Constant *Initial = IsDeclaration ? Constant::getNullValue(Wanted)
                                      : extended(*V.getInitializer(), Wanted);
    if (!Initial)
      continue;
    // LLVM changes a variable's type only together with its initial value.
    V.replaceInitializer(Initial);
    if (IsDeclaration)
      V.setInitializer(nullptr);
  }
}
