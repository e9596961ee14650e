#include "large_constants.h"

#include "address_spaces.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace llvm;

namespace {

constexpr unsigned Global = NVPTXAS::ADDRESS_SPACE_GLOBAL;
constexpr unsigned InConstantMemory = NVPTXAS::ADDRESS_SPACE_CONST;

void move(GlobalVariable &Variable) {
  auto *New = new GlobalVariable(
      *Variable.getParent(), Variable.getValueType(), /*isConstant=*/true, Variable.getLinkage(),
      Variable.getInitializer(), "", &Variable, Variable.getThreadLocalMode(), Global);
  New->copyAttributesFrom(&Variable);
  New->copyMetadata(&Variable, 0);
  New->takeName(&Variable);
  weft::replaceAddress(Variable, *New);
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
    if (weft::canMoveAddress(Variable, /*IsWritable=*/true))
      move(Variable);
  }
}
