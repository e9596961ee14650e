#include "large_constants.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace llvm;

namespace {

constexpr unsigned Generic = NVPTXAS::ADDRESS_SPACE_GENERIC;
constexpr unsigned Global = NVPTXAS::ADDRESS_SPACE_GLOBAL;
constexpr unsigned InConstantMemory = NVPTXAS::ADDRESS_SPACE_CONST;

bool isToGeneric(const User &U) {
  const auto *Cast = dyn_cast<AddrSpaceCastOperator>(&U);
  return Cast && Cast->getDestAddressSpace() == Generic;
}

bool isElementOf(const User &U, const Value &Address) {
  const auto *Element = dyn_cast<GEPOperator>(&U);
  return Element && Element->getPointerOperand() == &Address && Element->getType()->isPointerTy();
}

bool isCopyFrom(const User &U, const Value &Address) {
  const auto *Copy = dyn_cast<MemTransferInst>(&U);
  return Copy && Copy->getRawSource() == &Address && Copy->getRawDest() != &Address;
}

// Whether every use of an address in constant memory can become one of an address in global memory.
bool canMove(const Value &Address) {
  return all_of(Address.users(), [&](const User *U) {
    return isToGeneric(*U) || isa<LoadInst>(U) || isCopyFrom(*U, Address) ||
           (isElementOf(*U, Address) && canMove(*U));
  });
}

void replaceUses(Value &Address, Value &Moved);

void replaceUse(User &U, Value &Moved) {
  if (auto *Load = dyn_cast<LoadInst>(&U)) {
    Load->setOperand(LoadInst::getPointerOperandIndex(), &Moved);
    return;
  }
  if (auto *Copy = dyn_cast<MemTransferInst>(&U)) {
    IRBuilder<> Builder(Copy);
    CallInst *New = Builder.CreateMemTransferInst(
        Copy->getIntrinsicID(), Copy->getRawDest(), Copy->getDestAlign(), &Moved,
        Copy->getSourceAlign(), Copy->getLength(), Copy->isVolatile());
    New->copyMetadata(*Copy);
    Copy->eraseFromParent();
    return;
  }
  if (auto *Instruction = dyn_cast<llvm::Instruction>(&U)) {
    IRBuilder<> Builder(Instruction);
    Value *New = nullptr;
    if (auto *Element = dyn_cast<GetElementPtrInst>(Instruction)) {
      New = Builder.CreateGEP(Element->getSourceElementType(), &Moved,
                              SmallVector<Value *>(Element->indices()), "",
                              Element->getNoWrapFlags());
      replaceUses(*Element, *New);
    } else {
      New = Builder.CreateAddrSpaceCast(&Moved, Instruction->getType());
      Instruction->replaceAllUsesWith(New);
    }
    Instruction->eraseFromParent();
    return;
  }
  auto *Old = cast<ConstantExpr>(&U);
  auto *MovedConstant = cast<Constant>(&Moved);
  if (auto *Element = dyn_cast<GEPOperator>(Old)) {
    Constant *New = ConstantExpr::getGetElementPtr(Element->getSourceElementType(), MovedConstant,
                                                   SmallVector<Value *>(Element->indices()),
                                                   Element->getNoWrapFlags());
    replaceUses(*Old, *New);
  } else {
    Old->replaceAllUsesWith(ConstantExpr::getAddrSpaceCast(MovedConstant, Old->getType()));
  }
  Old->destroyConstant();
}

void replaceUses(Value &Address, Value &Moved) {
  // A user that uses the address twice would be in the list twice: no kind of user that can move
  // does, as the other operands of each are no addresses in constant memory.
  for (User *U : SmallVector<User *>(Address.users()))
    replaceUse(*U, Moved);
}

void move(GlobalVariable &Variable) {
  auto *New = new GlobalVariable(
      *Variable.getParent(), Variable.getValueType(), /*isConstant=*/true, Variable.getLinkage(),
      Variable.getInitializer(), "", &Variable, Variable.getThreadLocalMode(), Global);
  New->copyAttributesFrom(&Variable);
  New->copyMetadata(&Variable, 0);
  New->takeName(&Variable);
  replaceUses(Variable, *New);
  Variable.eraseFromParent();
}

} // namespace

void weft::moveLargeConstants(Module &M, uint64_t Limit) {
  const DataLayout &Layout = M.getDataLayout();
  for (GlobalVariable &Variable : make_early_inc_range(M.globals())) {
    if (Variable.getAddressSpace() != InConstantMemory || !Variable.hasLocalLinkage() ||
        !Variable.isConstant() || !Variable.hasInitializer() ||
        Variable.isExternallyInitialized() ||
        Layout.getTypeAllocSize(Variable.getValueType()) <= Limit)
      continue;
    Variable.removeDeadConstantUsers();
    if (canMove(Variable))
      move(Variable);
  }
}
