// Facts of modules and global values. Each function is declared with its contract in the Rust file
// that calls it: src/metadata.rs, src/handles/global.rs.

#include "border.h"

#include "llvm-c/Core.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalValue.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"

using namespace llvm;

extern "C" {

bool weft_module_flag(LLVMModuleRef Raw, weft::Bytes Name, uint64_t *Result) {
  auto *Flag = mdconst::dyn_extract_or_null<ConstantInt>(
      unwrap(Raw)->getModuleFlag(Name));
  if (!Flag)
    return false;
  *Result = Flag->getZExtValue();
  return true;
}

bool weft_is_dso_local(LLVMValueRef Value) {
  return cast<GlobalValue>(unwrap(Value))->isDSOLocal();
}

const char *weft_comdat_name(LLVMValueRef Value, size_t *Length) {
  const Comdat *Group = cast<GlobalValue>(unwrap(Value))->getComdat();
  if (!Group)
    return nullptr;
  *Length = Group->getName().size();
  return Group->getName().data();
}

} // extern "C"
