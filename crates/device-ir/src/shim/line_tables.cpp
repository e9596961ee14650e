// Line tables of a module, and functions without lines that call functions with lines. Declared
// with their contracts in src/line_tables.rs and src/metadata.rs.

#include "border.h"

#include "llvm-c/Core.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace {

/// Returns the first compile unit with lines; null if there is none.
DICompileUnit *unitWithLines(const Module &M) {
  auto Units = M.debug_compile_units();
  auto Unit = find_if(Units, [](DICompileUnit *Unit) {
    return Unit->getEmissionKind() != DICompileUnit::NoDebug;
  });
  return Unit == Units.end() ? nullptr : *Unit;
}

bool callsFunctionWithLines(Function &F) {
  return any_of(instructions(F), [](Instruction &I) {
    auto *Call = dyn_cast<CallBase>(&I);
    Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    return Callee && Callee->getSubprogram();
  });
}

void giveSubprogram(Function &F, DIFile *File, DICompileUnit *Unit) {
  LLVMContext &Context = F.getContext();
  auto *Type = DISubroutineType::get(Context, DINode::FlagZero, 0, nullptr);
  auto *Subprogram = DISubprogram::getDistinct(
      Context, File, F.getName(), F.getName(), File, 0, Type, 0, nullptr, 0, 0,
      DINode::FlagArtificial, DISubprogram::SPFlagDefinition | DISubprogram::SPFlagOptimized, Unit);
  F.setSubprogram(Subprogram);
  // LLVM inlines into a function with a subprogram only at calls with a place in it.
  auto *Place = DILocation::get(Context, 0, 0, Subprogram);
  for (Instruction &I : instructions(F))
    if (isa<CallBase>(I) && !I.getDebugLoc())
      I.setDebugLoc(Place);
}

} // namespace

extern "C" {

bool weft_has_line_information(LLVMModuleRef Raw) { return unitWithLines(*unwrap(Raw)); }

void weft_complete_line_tables(LLVMModuleRef Raw, weft::Bytes Path) {
  Module &M = *unwrap(Raw);
  DICompileUnit *Unit = unitWithLines(M);
  if (!Unit)
    return;
  auto *File = DIFile::get(M.getContext(), Path, "");
  // A function gets one when its callee has got one, so callers of callers follow.
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (Function &F : M)
      if (!F.isDeclaration() && !F.getSubprogram() && callsFunctionWithLines(F)) {
        giveSubprogram(F, File, Unit);
        Changed = true;
      }
  }
}

} // extern "C"
