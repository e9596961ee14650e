// The text of a definition, for comparing definitions of one name in several modules.
//
// Two compilations of one source differ in much that means nothing: numbers of metadata and of
// attribute groups, names of values, which literal is called `.str.3`. The text has none of that.
// Locals that a definition names are numbered in the order of their first use, and their own text
// follows, so helpers and string literals count by their content, not by their names.

#include "border.h"

#include <string>
#include <utility>
#include <vector>

#include "llvm-c/Core.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalAlias.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ModuleSlotTracker.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace {

class Content {
public:
  explicit Content(GlobalValue &Root)
      : Out(Text), Slots(Root.getParent(), /*ShouldInitializeAllMetadata=*/false) {
    Waiting.push_back(&Root);
    for (size_t At = 0; At < Waiting.size(); ++At)
      write(*Waiting[At]);
    // All names are taken away first: LLVM would change one that two locals share for a moment.
    for (auto &[Local, Name] : Renamed)
      Local->setName("");
    for (auto &[Local, Name] : Renamed)
      Local->setName(Name);
  }

  const std::string &text() { return Out.str(); }

private:
  // Numbers the locals that a value names, and puts them on the list.
  void meet(const Value *Named) {
    auto *Constant = dyn_cast<llvm::Constant>(Named);
    if (!Constant || !Met.insert(Constant).second)
      return;
    if (auto *Global = dyn_cast<GlobalValue>(const_cast<llvm::Constant *>(Constant))) {
      if (Global->hasLocalLinkage()) {
        Renamed.emplace_back(Global, Global->getName().str());
        Global->setName("weft.local." + std::to_string(Renamed.size()));
        Waiting.push_back(Global);
      }
      return;
    }
    for (const Use &Operand : Constant->operands())
      meet(Operand.get());
  }

  void write(GlobalValue &Global) {
    Global.getValueType()->print(Out);
    Out << " in " << Global.getAddressSpace() << '\n';
    if (auto *F = dyn_cast<Function>(&Global))
      writeFunction(*F);
    else if (auto *Variable = dyn_cast<GlobalVariable>(&Global))
      writeVariable(*Variable);
    else if (auto *Alias = dyn_cast<GlobalAlias>(&Global))
      writeConstant(*Alias->getAliasee());
  }

  void writeVariable(GlobalVariable &Variable) {
    Out << (Variable.isConstant() ? "constant" : "variable");
    Out << (Variable.isExternallyInitialized() ? " set by the host" : "");
    Out << " align " << Variable.getAlign().valueOrOne().value() << '\n';
    if (Variable.hasInitializer())
      writeConstant(*Variable.getInitializer());
  }

  void writeConstant(Constant &C) {
    meet(&C);
    C.printAsOperand(Out, /*PrintType=*/true, Slots);
    Out << '\n';
  }

  void writeFunction(Function &F) {
    stripDebugInfo(F);
    Out << "convention " << F.getCallingConv() << '\n';
    writeSettings(F.getAttributes().getFnAttrs());
    for (Argument &A : F.args()) {
      A.setName("");
      Out << F.getAttributes().getParamAttrs(A.getArgNo()).getAsString() << '\n';
    }
    for (BasicBlock &B : F) {
      B.setName("");
      for (Instruction &I : B)
        prepare(I);
    }
    for (BasicBlock &B : F) {
      Out << "block\n";
      for (Instruction &I : B) {
        if (auto *Call = dyn_cast<CallBase>(&I))
          writeCallSettings(*Call);
        I.print(Out, Slots);
        Out << '\n';
      }
    }
  }

  // Removes facts that only repeat or speed up what the instruction says.
  void prepare(Instruction &I) {
    I.setName("");
    I.dropUnknownNonDebugMetadata();
    for (const Use &Operand : I.operands())
      meet(Operand.get());
  }

  // The attributes of a call are printed as the number of a group otherwise.
  void writeCallSettings(CallBase &Call) {
    const AttributeList All = Call.getAttributes();
    writeSettings(All.getFnAttrs());
    Call.setAttributes(All.removeFnAttributes(Call.getContext()));
  }

  // Attributes that are words, such as how denormals are treated, are settings of the compilation.
  // The others are mostly facts that the optimizer found.
  void writeSettings(AttributeSet Attributes) {
    for (const Attribute &A : Attributes)
      if (A.isStringAttribute())
        Out << A.getAsString() << '\n';
  }

  std::string Text;
  raw_string_ostream Out;
  ModuleSlotTracker Slots;
  SmallPtrSet<const Constant *, 32> Met;
  std::vector<GlobalValue *> Waiting;
  std::vector<std::pair<GlobalValue *, std::string>> Renamed;
};

} // namespace

extern "C" char *weft_content(LLVMValueRef Raw) {
  Content Found(*unwrap<GlobalValue>(Raw));
  return weft::copyOf(Found.text());
}
