// Gives a module its own copy of a function that another module defines. Declared with its contract
// in src/changes.rs.

#include "border.h"

#include "llvm-c/Core.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace {

bool isCallee(const Use &U) {
  auto *Call = dyn_cast<CallBase>(U.getUser());
  return Call && Call->isCallee(&U);
}

} // namespace

extern "C" {

void weft_localize(LLVMValueRef Value, weft::Bytes Name) {
  Function &Program = *cast<Function>(unwrap(Value));
  Program.removeDeadConstantUsers();
  if (Program.isDeclaration())
    return;
  Program.setComdat(nullptr);
  Function *Local = &Program;
  if (!all_of(Program.uses(), isCallee)) {
    // The address is the one of the program's function, whoever takes it. Only calls may go to a
    // copy.
    Program.setLinkage(GlobalValue::AvailableExternallyLinkage);
    if (none_of(Program.uses(), isCallee))
      return;
    ValueToValueMapTy Map;
    Local = CloneFunction(&Program, Map);
    Local->setName(StringRef(Name));
    SmallVector<Use *, 16> Calls;
    for (Use &U : Program.uses())
      if (isCallee(U))
        Calls.push_back(&U);
    for (Use *Call : Calls)
      Call->set(Local);
  }
  Local->setVisibility(GlobalValue::DefaultVisibility);
  Local->setLinkage(GlobalValue::InternalLinkage);
}

} // extern "C"
