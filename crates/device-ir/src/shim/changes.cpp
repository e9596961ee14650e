// Changes that remove or replace parts of a module. Each function is declared with its contract in
// src/changes.rs.

#include "changes.h"

#include "border.h"

#include "llvm-c/Core.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalAlias.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace {

// The attributes of `F` that say how arguments and results are passed. Other facts that LLVM
// inferred about `F` need not hold for another definition of the same type.
AttributeList passing(const Function &F) {
  LLVMContext &Context = F.getContext();
  AttributeList All = F.getAttributes(), Passing;
  for (unsigned Index : All.indexes()) {
    if (Index == AttributeList::FunctionIndex)
      continue;
    AttrBuilder Kept(Context);
    for (Attribute::AttrKind Kind :
         {Attribute::ByVal, Attribute::StructRet, Attribute::Alignment, Attribute::StackAlignment,
          Attribute::ZExt, Attribute::SExt, Attribute::InReg})
      if (All.hasAttributeAtIndex(Index, Kind))
        Kept.addAttribute(All.getAttributeAtIndex(Index, Kind));
    Passing = Passing.addAttributesAtIndex(Context, Index, Kept);
  }
  return Passing;
}

// A declaration that takes the place of `Alias`, which cannot itself lose its definition. An alias
// has no attributes, so those of its function say how arguments are passed.
GlobalValue *declarationFor(GlobalAlias &Alias) {
  Module &M = *Alias.getParent();
  if (auto *Type = dyn_cast<FunctionType>(Alias.getValueType())) {
    Function *Declaration =
        Function::Create(Type, GlobalValue::ExternalLinkage, Alias.getAddressSpace(), "", &M);
    auto *Aliasee = dyn_cast_or_null<Function>(Alias.getAliaseeObject());
    if (Aliasee && Aliasee->getFunctionType() == Type) {
      Declaration->setAttributes(passing(*Aliasee));
      Declaration->setConvergent();
      Declaration->setCallingConv(Aliasee->getCallingConv());
    }
    return Declaration;
  }
  return new GlobalVariable(M, Alias.getValueType(), /*isConstant=*/false,
                            GlobalValue::ExternalLinkage, nullptr, "", nullptr,
                            GlobalValue::NotThreadLocal, Alias.getAddressSpace());
}

void dropUnusedDeclarations(Module &M) {
  for (Function &F : make_early_inc_range(M)) {
    F.removeDeadConstantUsers();
    if (F.isDeclaration() && F.use_empty())
      F.eraseFromParent();
  }
  for (GlobalVariable &V : make_early_inc_range(M.globals())) {
    V.removeDeadConstantUsers();
    if (V.isDeclaration() && V.use_empty())
      V.eraseFromParent();
  }
}

// Members of a list of used symbols that must still be listed: a symbol that others see stays
// without it.
SmallVector<GlobalValue *, 8> localMembers(Module &M, bool CompilerUsed) {
  SmallVector<GlobalValue *, 8> Members, Local;
  collectUsedGlobalVariables(M, Members, CompilerUsed);
  for (GlobalValue *Member : Members)
    if (!Member->isDeclaration() && Member->hasLocalLinkage())
      Local.push_back(Member);
  return Local;
}

void eraseGlobal(Module &M, StringRef Name) {
  if (GlobalVariable *Array = M.getGlobalVariable(Name, /*AllowLocal=*/true)) {
    Array->setInitializer(nullptr);
    Array->removeDeadConstantUsers();
    if (Array->use_empty())
      Array->eraseFromParent();
  }
}

} // namespace

void weft::dropDefinition(GlobalValue &Global) {
  if (auto *Alias = dyn_cast<GlobalAlias>(&Global)) {
    GlobalValue *Declaration = declarationFor(*Alias);
    Declaration->takeName(Alias);
    Alias->replaceAllUsesWith(Declaration);
    Alias->eraseFromParent();
    return;
  }
  if (auto *F = dyn_cast<Function>(&Global)) {
    F->deleteBody();
    F->clearMetadata();
  } else if (auto *V = dyn_cast<GlobalVariable>(&Global)) {
    V->setInitializer(nullptr);
    V->clearMetadata();
  }
  cast<GlobalObject>(Global).setComdat(nullptr);
  Global.setVisibility(GlobalValue::DefaultVisibility);
  Global.setLinkage(GlobalValue::ExternalLinkage);
}

// LLVM's mover would declare such an alias by itself, without any attributes.
void weft::declareOtherAliases(Module &M, ArrayRef<GlobalValue *> Wanted) {
  for (GlobalAlias &Alias : make_early_inc_range(M.aliases())) {
    bool StaysDefined = Alias.hasLocalLinkage() || is_contained(Wanted, &Alias) ||
                        any_of(Alias.users(), [](User *U) { return isa<GlobalAlias>(U); });
    if (isa<FunctionType>(Alias.getValueType()) && !StaysDefined)
      dropDefinition(Alias);
  }
}

void weft::keepFlags(Module &M, function_ref<bool(StringRef)> IsKept) {
  NamedMDNode *Flags = M.getModuleFlagsMetadata();
  if (!Flags)
    return;
  SmallVector<MDNode *, 8> Kept;
  for (MDNode *Flag : Flags->operands())
    if (IsKept(cast<MDString>(Flag->getOperand(1))->getString()))
      Kept.push_back(Flag);
  Flags->clearOperands();
  for (MDNode *Flag : Kept)
    Flags->addOperand(Flag);
}

extern "C" {

void weft_drop_definition(LLVMValueRef Value) {
  weft::dropDefinition(*cast<GlobalValue>(unwrap(Value)));
}

void weft_forget_used(LLVMModuleRef Raw) {
  Module &M = *unwrap(Raw);
  SmallVector<GlobalValue *, 8> Used = localMembers(M, /*CompilerUsed=*/false);
  SmallVector<GlobalValue *, 8> CompilerUsed = localMembers(M, /*CompilerUsed=*/true);
  eraseGlobal(M, "llvm.used");
  eraseGlobal(M, "llvm.compiler.used");
  // clang lists here what host code of the unit may name; the plan has settled that.
  erase_if(CompilerUsed, [](GlobalValue *V) {
    return V->getName() == "__clang_gpu_used_external";
  });
  eraseGlobal(M, "__clang_gpu_used_external");
  if (!Used.empty())
    appendToUsed(M, Used);
  if (!CompilerUsed.empty())
    appendToCompilerUsed(M, CompilerUsed);
}

void weft_erase_used_lists(LLVMModuleRef Raw) {
  eraseGlobal(*unwrap(Raw), "llvm.used");
  eraseGlobal(*unwrap(Raw), "llvm.compiler.used");
}

void weft_append_to_compiler_used(LLVMModuleRef Raw, const LLVMValueRef *Values, size_t Count) {
  SmallVector<GlobalValue *, 8> Used;
  for (LLVMValueRef Value : ArrayRef(Values, Count))
    Used.push_back(cast<GlobalValue>(unwrap(Value)));
  if (!Used.empty())
    appendToCompilerUsed(*unwrap(Raw), Used);
}

void weft_forget_flags(LLVMModuleRef Raw, weft::Bytes Prefix) {
  weft::keepFlags(*unwrap(Raw), [&](StringRef Name) {
    return !Name.starts_with(StringRef(Prefix));
  });
}

void weft_forget_metadata(LLVMModuleRef Raw) {
  Module &M = *unwrap(Raw);
  for (NamedMDNode &Metadata : make_early_inc_range(M.named_metadata()))
    if (&Metadata != M.getModuleFlagsMetadata())
      Metadata.eraseFromParent();
}

void weft_canonicalize(LLVMModuleRef Raw) {
  Module &M = *unwrap(Raw);
  dropUnusedDeclarations(M);
  if (NamedMDNode *Ident = M.getNamedMetadata("llvm.ident"))
    Ident->eraseFromParent();
  // The dropped flags say how clang wrote the unit's bitcode. Modules that are combined later need
  // not agree on them.
  weft::keepFlags(M, [](StringRef Name) {
    return Name != "EnableSplitLTOUnit" && Name != "ThinLTO" && Name != "UnifiedLTO";
  });
  for (GlobalObject &Object : M.global_objects())
    Object.setComdat(nullptr);
  M.getComdatSymbolTable().clear();
  // A position in a source file, kept for diagnostics of inline assembly alone.
  const unsigned SourceLocation = M.getContext().getMDKindID("srcloc");
  for (Function &F : M) {
    for (Argument &A : F.args())
      A.setName("");
    for (BasicBlock &B : F) {
      B.setName("");
      for (Instruction &I : B) {
        I.setName("");
        I.setMetadata(SourceLocation, nullptr);
      }
    }
  }
  // The names of types, and the numbers that tell equal ones apart, depend on what else was loaded.
  for (StructType *Type : M.getIdentifiedStructTypes())
    Type->setName("");
}

void weft_empty_bodies(LLVMModuleRef Raw) {
  Module &M = *unwrap(Raw);
  const bool AreCompared = any_of(M.global_values(), [](const GlobalValue &Global) {
    return !Global.isDeclaration() && GlobalValue::isInterposableLinkage(Global.getLinkage());
  });
  const auto MustStay = [&](const Function &F) {
    const bool IsPartOfText =
        F.hasLocalLinkage() || GlobalValue::isInterposableLinkage(F.getLinkage());
    // The address of a block is a constant, which other code and variables may name.
    return (AreCompared && IsPartOfText) ||
           any_of(F, [](const BasicBlock &B) { return B.hasAddressTaken(); });
  };
  for (Function &F : M) {
    if (F.empty() || MustStay(F))
      continue;
    for (BasicBlock &B : F)
      B.dropAllReferences();
    while (!F.empty())
      F.begin()->eraseFromParent();
    new UnreachableInst(F.getContext(), BasicBlock::Create(F.getContext(), "", &F));
  }
}

void weft_drop_unused_declarations(LLVMModuleRef Raw) { dropUnusedDeclarations(*unwrap(Raw)); }

} // extern "C"
