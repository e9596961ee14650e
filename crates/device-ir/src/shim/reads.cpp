// Analyzes the uses of a variable's address. Declared with its contract in
// src/handles/instruction.rs.

#include "llvm-c/Core.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace {

// Maximum number of uses of an address that are examined. Code with more of them is rare.
constexpr unsigned MostUses = 1000;

// Whether `V` is the address of one variable or of a part of it, as a constant.
bool isAddressOfVariable(const Value *V) {
  while (!isa<GlobalVariable>(V)) {
    const auto *Expression = dyn_cast<ConstantExpr>(V);
    const bool IsStep = Expression && (isa<GEPOperator>(Expression) ||
                                       isa<AddrSpaceCastOperator>(Expression) ||
                                       isa<BitCastOperator>(Expression));
    if (!IsStep)
      return false;
    // No other operand may name a variable, as the difference of two addresses does.
    const auto IsNumber = [](const Use &U) { return isa<ConstantInt>(U); };
    if (!all_of(drop_begin(Expression->operands()), IsNumber))
      return false;
    V = Expression->getOperand(0);
  }
  return true;
}

// The result of `U`'s user, if that is an address of the same memory as `U`.
const Value *derivedAddress(const Use &U) {
  const User *By = U.getUser();
  if (isa<AddrSpaceCastInst>(By) || isa<BitCastInst>(By) || isa<FreezeInst>(By) || isa<PHINode>(By))
    return By;
  if (isa<GetElementPtrInst>(By))
    return U.getOperandNo() == GetElementPtrInst::getPointerOperandIndex() ? By : nullptr;
  if (isa<SelectInst>(By))
    return U.getOperandNo() == 0 ? nullptr : By;
  return nullptr;
}

// Whether `U`'s user does nothing with the address but to read from it, or to compare it.
bool isRead(const Use &U) {
  const User *By = U.getUser();
  if (const auto *Load = dyn_cast<LoadInst>(By))
    return !Load->isVolatile() && !Load->isAtomic();
  if (isa<ICmpInst>(By))
    return true;
  if (const auto *Copy = dyn_cast<MemTransferInst>(By))
    return !Copy->isVolatile() && &U == &Copy->getRawSourceUse();
  const auto *Call = dyn_cast<CallBase>(By);
  if (!Call || !Call->isArgOperand(&U))
    return false;
  const unsigned Argument = Call->getArgOperandNo(&U);
  return Call->isByValArgument(Argument) ||
         (Call->onlyReadsMemory(Argument) && Call->doesNotCapture(Argument));
}

} // namespace

extern "C" bool weft_only_reads_through(LLVMValueRef Raw, uint32_t Operand) {
  const auto &Instruction = *cast<llvm::Instruction>(unwrap(Raw));
  if (!isAddressOfVariable(Instruction.getOperand(Operand)))
    return false;
  SmallVector<const Use *, 16> Pending = {&Instruction.getOperandUse(Operand)};
  SmallPtrSet<const Value *, 16> Seen;
  for (unsigned Looked = 0; !Pending.empty(); ++Looked) {
    const Use &U = *Pending.pop_back_val();
    if (Looked == MostUses)
      return false;
    if (const Value *Address = derivedAddress(U)) {
      if (Seen.insert(Address).second)
        for (const Use &Next : Address->uses())
          Pending.push_back(&Next);
    } else if (!isRead(U)) {
      return false;
    }
  }
  return true;
}
