// Declared with contracts in address_spaces.h and src/definitions.rs.

#include "address_spaces.h"

#include "border.h"

#include <optional>

#include "llvm-c/Core.h"
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

// Number of the operand by which `U` writes to `Address` without a call; none if it does not, or
// uses the address otherwise as well.
std::optional<unsigned> writtenOperand(const User &U, const Value &Address) {
  std::optional<unsigned> Pointer;
  if (isa<StoreInst>(U))
    Pointer = StoreInst::getPointerOperandIndex();
  else if (isa<AtomicRMWInst>(U))
    Pointer = AtomicRMWInst::getPointerOperandIndex();
  else if (isa<AtomicCmpXchgInst>(U))
    Pointer = AtomicCmpXchgInst::getPointerOperandIndex();
  const bool IsOnlyPointer = Pointer && U.getOperand(*Pointer) == &Address &&
                             count(U.operand_values(), &Address) == 1;
  return IsOnlyPointer ? Pointer : std::nullopt;
}

void replaceUse(User &U, Value &Address, Value &Moved) {
  if (auto *Load = dyn_cast<LoadInst>(&U)) {
    Load->setOperand(LoadInst::getPointerOperandIndex(), &Moved);
    return;
  }
  if (std::optional<unsigned> Operand = writtenOperand(U, Address)) {
    U.setOperand(*Operand, &Moved);
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
      weft::replaceAddress(*Element, *New);
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
    weft::replaceAddress(*Old, *New);
  } else {
    Old->replaceAllUsesWith(ConstantExpr::getAddrSpaceCast(MovedConstant, Old->getType()));
  }
  Old->destroyConstant();
}

// Resolves casts of `Address`, an address in `Space`, and of its elements to other specific address
// spaces. Whether all uses of the casts could follow.
bool resolveCasts(Value &Address, unsigned Space) {
  const bool IsWritable = Space != NVPTXAS::ADDRESS_SPACE_CONST;
  for (User *U : SmallVector<User *>(Address.users())) {
    if (isElementOf(*U, Address)) {
      if (!resolveCasts(*U, Space))
        return false;
      continue;
    }
    const auto *Cast = dyn_cast<AddrSpaceCastOperator>(U);
    if (!Cast || Cast->getDestAddressSpace() == Generic)
      continue;
    if (auto *Expression = dyn_cast<ConstantExpr>(U))
      Expression->removeDeadConstantUsers();
    if (!weft::canMoveAddress(*U, IsWritable))
      return false;
    weft::replaceAddress(*U, Address);
    if (auto *Instruction = dyn_cast<llvm::Instruction>(U))
      Instruction->eraseFromParent();
    else
      cast<ConstantExpr>(U)->destroyConstant();
  }
  return true;
}

// Declares `Old`, a declaration, in `Space`.
GlobalVariable &redeclare(GlobalVariable &Old, unsigned Space) {
  auto *New = new GlobalVariable(*Old.getParent(), Old.getValueType(), Old.isConstant(),
                                 Old.getLinkage(), nullptr, "", &Old, Old.getThreadLocalMode(),
                                 Space, Old.isExternallyInitialized());
  New->copyAttributesFrom(&Old);
  New->takeName(&Old);
  Old.replaceAllUsesWith(ConstantExpr::getAddrSpaceCast(New, Old.getType()));
  Old.eraseFromParent();
  return *New;
}

} // namespace

bool weft::canMoveAddress(const Value &Address, bool IsWritable) {
  return all_of(Address.users(), [&](const User *U) {
    return isToGeneric(*U) || isa<LoadInst>(U) || isCopyFrom(*U, Address) ||
           (IsWritable && writtenOperand(*U, Address)) ||
           (isElementOf(*U, Address) && canMoveAddress(*U, IsWritable));
  });
}

void weft::replaceAddress(Value &Address, Value &Moved) {
  // A user that uses the address twice would be in the list twice: no kind of user that can move
  // does, as the other operands of each are no addresses in a specific address space.
  for (User *U : SmallVector<User *>(Address.users()))
    replaceUse(*U, Address, Moved);
}

extern "C" bool weft_declare_in_space(LLVMModuleRef Raw, weft::Bytes Name, uint32_t Space) {
  Module &M = *unwrap(Raw);
  GlobalVariable *Variable = M.getGlobalVariable(StringRef(Name), /*AllowLocal=*/true);
  if (!Variable)
    return true;
  if (Variable->getAddressSpace() != Space) {
    if (!Variable->isDeclaration())
      return false;
    Variable = &redeclare(*Variable, Space);
  }
  Variable->removeDeadConstantUsers();
  return resolveCasts(*Variable, Space);
}
