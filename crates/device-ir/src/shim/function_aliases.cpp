#include "function_aliases.h"

#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalAlias.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;

void weft::nameFunctionsInTables(Module &M) {
  ValueToValueMapTy Functions;
  for (GlobalAlias &Alias : M.aliases())
    if (auto *F = dyn_cast_or_null<Function>(Alias.getAliaseeObject()))
      Functions[&Alias] = F;
  if (Functions.empty())
    return;
  for (GlobalVariable &V : M.globals())
    if (V.hasInitializer())
      V.setInitializer(MapValue(V.getInitializer(), Functions));
}
