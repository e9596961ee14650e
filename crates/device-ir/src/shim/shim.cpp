// The few things that LLVM's C API does not offer. Each function is declared with its contract in
// src/shim.rs; nothing else calls them. Strings that cross the border are allocated with malloc.

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>

#include "llvm-c/Core.h"
#include "llvm/Analysis/BlockFrequencyInfo.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ProfileSummaryInfo.h"
#include "llvm/Analysis/TypeMetadataUtils.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalAlias.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/IRMover.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

#include "safe_reading.h"

using namespace llvm;

namespace {

char *copyOf(const std::string &Text) { return strdup(Text.c_str()); }

// A declaration that takes the place of `Alias`, which cannot itself lose its definition.
GlobalValue *declarationFor(GlobalAlias &Alias) {
  Module &M = *Alias.getParent();
  if (auto *Type = dyn_cast<FunctionType>(Alias.getValueType()))
    return Function::Create(Type, GlobalValue::ExternalLinkage,
                            Alias.getAddressSpace(), "", &M);
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

// What of `Array` must still be listed: a symbol that others see stays without it.
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

// How many names of metadata kinds, operand bundles and synchronisation scopes a context knows.
size_t namesKnownTo(LLVMContext &Context) {
  SmallVector<StringRef, 64> Kinds, Bundles, Scopes;
  Context.getMDKindNames(Kinds);
  Context.getOperandBundleTags(Bundles);
  Context.getSyncScopeNames(Scopes);
  return Kinds.size() + Bundles.size() + Scopes.size();
}

// Names that clang gives to CUDA code and that LLVM does not give to every context by itself.
void learnUsualNames(LLVMContext &Context) {
  Context.getMDKindID("srcloc");
  for (const char *Scope : {"block", "cluster", "device"})
    Context.getOrInsertSyncScopeID(Scope);
}

// Memory that reading `Size` bytes of bitcode, or the bodies that were left for later, may take, in
// bytes: more than real modules do, and far less than damaged ones can ask for. An instruction of a few
// bytes becomes an object of some hundred with its operands.
size_t readingBudget(size_t Size) { return (size_t(1) << 30) + 256 * Size; }

Error verified(Module &M) {
  std::string Reason;
  raw_string_ostream Stream(Reason);
  return verifyModule(M, &Stream) ? createStringError(Reason) : Error::success();
}

// Runs `Reads`, which reads of `Size` bytes of bitcode that may be damaged. Null, or why it failed.
char *guarded(size_t Size, bool &HasCrashed, function_ref<Error()> Reads) {
  std::string Reason;
  const char *Crash = weft::readSafely(readingBudget(Size), [&] {
    if (Error Failure = Reads())
      Reason = toString(std::move(Failure));
  });
  HasCrashed = Crash != nullptr;
  if (Crash)
    return strdup(Crash);
  return Reason.empty() ? nullptr : copyOf(Reason);
}

[[noreturn]] void giveUp(void *, const char *Reason, bool) {
  constexpr int Defect = 70;
  if (CrashRecoveryContext *Guard = CrashRecoveryContext::GetCurrent())
    Guard->HandleExit(Defect);
  errs() << "error: LLVM gave up: " << Reason << "\n";
  std::_Exit(Defect);
}

size_t namesUsuallyKnown() {
  LLVMContext Fresh;
  learnUsualNames(Fresh);
  return namesKnownTo(Fresh);
}

LLVMMemoryBufferRef written(const Module &M) {
  std::string Bitcode;
  raw_string_ostream Stream(Bitcode);
  WriteBitcodeToFile(M, Stream);
  return wrap(MemoryBuffer::getMemBufferCopy(Bitcode).release());
}

// LLVM's analyses of one module, computed when asked for and kept.
struct Analyses {
  explicit Analyses(Module &M) : M(M) {
    PassBuilder Builder;
    Builder.registerModuleAnalyses(Modules);
    Builder.registerCGSCCAnalyses(Sccs);
    Builder.registerFunctionAnalyses(Functions);
    Builder.registerLoopAnalyses(Loops);
    Builder.crossRegisterProxies(Loops, Functions, Sccs, Modules);
  }
  const ProfileSummaryInfo &profile() { return Modules.getResult<ProfileSummaryAnalysis>(M); }

  Module &M;
  LoopAnalysisManager Loops;
  FunctionAnalysisManager Functions;
  CGSCCAnalysisManager Sccs;
  ModuleAnalysisManager Modules;
};

// The following layouts are repeated in src/shim.rs.
struct BlockFacts {
  enum : uint32_t { Unknown, Cold, Neither, Hot };
  uint32_t Frequency;
  uint32_t LoopDepth;
  uint32_t Temperature;
};

struct ProfileFacts {
  bool IsKnown;
  bool IsHot;
  uint64_t EntryCount;
  uint64_t HotThreshold;
};

using TypeTestVisitor = void (*)(void *Data, const char *Id, size_t Length, uint64_t Offset,
                                 bool OutlivesItsCalls);

} // namespace

extern "C" {

void weft_prepare_context(LLVMContextRef Context) {
  learnUsualNames(*unwrap(Context));
}

LLVMMemoryBufferRef weft_write(LLVMModuleRef Raw, char **Failure) {
  Module &M = *unwrap(Raw);
  *Failure = nullptr;
  if (namesKnownTo(M.getContext()) == namesUsuallyKnown())
    return written(M);
  std::string Text;
  raw_string_ostream Stream(Text);
  M.print(Stream, nullptr);
  LLVMContext Fresh;
  learnUsualNames(Fresh);
  SMDiagnostic Diagnostic;
  std::unique_ptr<Module> Copy = parseAssemblyString(Text, Diagnostic, Fresh);
  if (Copy)
    return written(*Copy);
  *Failure = copyOf(Diagnostic.getMessage().str());
  return nullptr;
}

void weft_end_on_fatal_errors() { install_fatal_error_handler(giveUp); }

char *weft_bitcode_producer(const char *Data, size_t Size) {
  char *Name = nullptr;
  weft::readSafely(readingBudget(Size), [&] {
    Expected<std::string> Producer =
        getBitcodeProducerString(MemoryBufferRef(StringRef(Data, Size), ""));
    if (Producer)
      Name = copyOf(*Producer);
    else
      consumeError(Producer.takeError());
  });
  return Name;
}

LLVMModuleRef weft_read(LLVMContextRef Context, const char *Data, size_t Size, bool Lazily,
                        char **Failure, bool *HasCrashed) {
  Module *Result = nullptr;
  *Failure = guarded(Size, *HasCrashed, [&]() -> Error {
    std::unique_ptr<MemoryBuffer> Buffer =
        MemoryBuffer::getMemBufferCopy(StringRef(Data, Size));
    Expected<std::unique_ptr<Module>> Read =
        Lazily ? getOwningLazyBitcodeModule(std::move(Buffer), *unwrap(Context))
               : parseBitcodeFile(Buffer->getMemBufferRef(), *unwrap(Context));
    if (!Read)
      return Read.takeError();
    if (!Lazily)
      if (Error Failure = verified(**Read))
        return Failure;
    Result = Read->release();
    return Error::success();
  });
  return wrap(Result);
}

void weft_free(char *Text) { free(Text); }

void weft_drop_definition(LLVMValueRef Value) {
  auto *Global = cast<GlobalValue>(unwrap(Value));
  if (auto *Alias = dyn_cast<GlobalAlias>(Global)) {
    GlobalValue *Declaration = declarationFor(*Alias);
    Declaration->takeName(Alias);
    Alias->replaceAllUsesWith(Declaration);
    Alias->eraseFromParent();
    return;
  }
  if (auto *F = dyn_cast<Function>(Global)) {
    F->deleteBody();
    F->clearMetadata();
  } else if (auto *V = dyn_cast<GlobalVariable>(Global)) {
    V->setInitializer(nullptr);
    V->clearMetadata();
  }
  cast<GlobalObject>(Global)->setComdat(nullptr);
  Global->setVisibility(GlobalValue::DefaultVisibility);
  Global->setLinkage(GlobalValue::ExternalLinkage);
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

void weft_append_to_compiler_used(LLVMModuleRef Raw, LLVMValueRef *Values, size_t Count) {
  SmallVector<GlobalValue *, 8> Used;
  for (LLVMValueRef Value : ArrayRef(Values, Count))
    Used.push_back(cast<GlobalValue>(unwrap(Value)));
  if (!Used.empty())
    appendToCompilerUsed(*unwrap(Raw), Used);
}

// Keeps the module flags whose names fulfil `IsKept`.
static void keepFlags(Module &M, function_ref<bool(StringRef)> IsKept) {
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

void weft_forget_flags(LLVMModuleRef Raw, const char *Prefix) {
  keepFlags(*unwrap(Raw), [&](StringRef Name) { return !Name.starts_with(Prefix); });
}

IRMover *weft_mover_create(LLVMModuleRef Destination) {
  return new IRMover(*unwrap(Destination));
}

void weft_mover_dispose(IRMover *Mover) { delete Mover; }

char *weft_mover_move(IRMover *Mover, LLVMModuleRef Source, size_t Size, LLVMValueRef *Values,
                      size_t Count, bool *HasCrashed) {
  return guarded(Size, *HasCrashed, [&]() -> Error {
    std::unique_ptr<Module> Owned(unwrap(Source));
    if (Error Failure = Owned->materializeMetadata())
      return Failure;
    // Flags say how a unit was compiled, and the linked module is the importer's: LLVM would refuse
    // sources whose flags differ, such as `EnableSplitLTOUnit`, and leave traces of the others. Only
    // the versions of debug information describe what moves along.
    keepFlags(*Owned, [](StringRef Name) {
      return Name == "Debug Info Version" || Name == "Dwarf Version";
    });
    SmallVector<GlobalValue *, 32> Wanted;
    for (LLVMValueRef Value : ArrayRef(Values, Count)) {
      Wanted.push_back(cast<GlobalValue>(unwrap(Value)));
      if (Error Failure = Wanted.back()->materialize())
        return Failure;
    }
    return Mover->move(std::move(Owned), Wanted, [](GlobalValue &, IRMover::ValueAdder) {},
                       /*IsPerformingImport=*/true);
  });
}

char *weft_load(LLVMModuleRef Raw, size_t Size, LLVMValueRef *Dropped, size_t Count,
                bool *HasCrashed) {
  return guarded(Size, *HasCrashed, [&]() -> Error {
    Module &M = *unwrap(Raw);
    // Metadata of a definition would otherwise come back once it is a declaration.
    if (Error Failure = M.materializeMetadata())
      return Failure;
    for (LLVMValueRef Value : ArrayRef(Dropped, Count))
      weft_drop_definition(Value);
    if (Error Failure = M.materializeAll())
      return Failure;
    return verified(M);
  });
}

void weft_forget_metadata(LLVMModuleRef Raw) {
  Module &M = *unwrap(Raw);
  for (NamedMDNode &Metadata : make_early_inc_range(M.named_metadata()))
    if (&Metadata != M.getModuleFlagsMetadata())
      Metadata.eraseFromParent();
}

void weft_canonicalise(LLVMModuleRef Raw) {
  Module &M = *unwrap(Raw);
  dropUnusedDeclarations(M);
  if (NamedMDNode *Ident = M.getNamedMetadata("llvm.ident"))
    Ident->eraseFromParent();
  // The dropped flags say how clang wrote the unit's bitcode. Modules that are combined later need
  // not agree on them.
  keepFlags(M, [](StringRef Name) {
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

void weft_drop_unused_declarations(LLVMModuleRef Raw) { dropUnusedDeclarations(*unwrap(Raw)); }

Analyses *weft_analyses_create(LLVMModuleRef Raw) { return new Analyses(*unwrap(Raw)); }

void weft_analyses_dispose(Analyses *A) { delete A; }

void weft_analyses_blocks(Analyses *A, LLVMValueRef Value, BlockFacts *Facts) {
  Function &F = *cast<Function>(unwrap(Value));
  auto &Frequencies = A->Functions.getResult<BlockFrequencyAnalysis>(F);
  auto &Loops = A->Functions.getResult<LoopAnalysis>(F);
  const ProfileSummaryInfo &Profile = A->profile();
  const uint64_t Entry = std::max<uint64_t>(1, Frequencies.getEntryFreq().getFrequency());
  for (BasicBlock &Block : F) {
    const unsigned __int128 Frequency = Frequencies.getBlockFreq(&Block).getFrequency();
    Facts->Frequency = static_cast<uint32_t>(
        std::min<unsigned __int128>(Frequency * 256 / Entry, UINT32_MAX));
    Facts->LoopDepth = Loops.getLoopDepth(&Block);
    Facts->Temperature = BlockFacts::Unknown;
    if (Profile.hasProfileSummary())
      if (std::optional<uint64_t> Count = Frequencies.getBlockProfileCount(&Block))
        Facts->Temperature = Profile.isHotCount(*Count)    ? BlockFacts::Hot
                             : Profile.isColdCount(*Count) ? BlockFacts::Cold
                                                           : BlockFacts::Neither;
    ++Facts;
  }
}

ProfileFacts weft_analyses_profile(Analyses *A, LLVMValueRef Value) {
  Function &F = *cast<Function>(unwrap(Value));
  const ProfileSummaryInfo &Profile = A->profile();
  std::optional<Function::ProfileCount> Count = F.getEntryCount();
  if (!Profile.hasProfileSummary() || !Count)
    return {false, false, 0, 0};
  return {true, Profile.isHotCount(Count->getCount()), Count->getCount(),
          Profile.getOrCompHotCountThreshold()};
}

void weft_analyses_type_tests(Analyses *A, LLVMValueRef Value, TypeTestVisitor Visit,
                              void *Data) {
  Function &F = *cast<Function>(unwrap(Value));
  DominatorTree &Tree = A->Functions.getResult<DominatorTreeAnalysis>(F);
  for (Instruction &I : instructions(F)) {
    auto *Call = dyn_cast<CallInst>(&I);
    const Intrinsic::ID Kind = Call ? Call->getIntrinsicID() : Intrinsic::not_intrinsic;
    const bool IsTest = Kind == Intrinsic::type_test || Kind == Intrinsic::public_type_test;
    if (!IsTest && Kind != Intrinsic::type_checked_load)
      continue;
    auto *Operand = cast<MetadataAsValue>(Call->getArgOperand(IsTest ? 1 : 2));
    auto *Id = dyn_cast<MDString>(Operand->getMetadata());
    if (!Id)
      continue;
    SmallVector<DevirtCallSite, 4> Sites;
    bool OutlivesItsCalls = false;
    if (IsTest) {
      SmallVector<CallInst *, 4> Assumptions;
      findDevirtualizableCallsForTypeTest(Sites, Assumptions, Call, Tree);
      OutlivesItsCalls = Assumptions.size() != Call->getNumUses();
    } else {
      SmallVector<Instruction *, 4> Loaded, Predicates;
      findDevirtualizableCallsForTypeCheckedLoad(Sites, Loaded, Predicates, OutlivesItsCalls,
                                                 Call, Tree);
    }
    if (OutlivesItsCalls)
      Visit(Data, Id->getString().data(), Id->getString().size(), 0, true);
    for (const DevirtCallSite &Site : Sites)
      Visit(Data, Id->getString().data(), Id->getString().size(), Site.Offset, false);
  }
}

void weft_type_ids(LLVMValueRef Value, TypeTestVisitor Visit, void *Data) {
  SmallVector<MDNode *, 4> Types;
  cast<GlobalObject>(unwrap(Value))->getMetadata(LLVMContext::MD_type, Types);
  for (MDNode *Type : Types) {
    auto *Offset = mdconst::dyn_extract<ConstantInt>(Type->getOperand(0));
    auto *Id = dyn_cast<MDString>(Type->getOperand(1));
    // A type that only the module knows has no name.
    const StringRef Name = Id ? Id->getString() : "";
    if (Offset)
      Visit(Data, Name.data(), Name.size(), Offset->getZExtValue(), false);
  }
}

bool weft_module_flag(LLVMModuleRef Raw, const char *Name, size_t Length, uint64_t *Result) {
  auto *Flag = mdconst::dyn_extract_or_null<ConstantInt>(
      unwrap(Raw)->getModuleFlag(StringRef(Name, Length)));
  if (!Flag)
    return false;
  *Result = Flag->getZExtValue();
  return true;
}

bool weft_has_line_information(LLVMModuleRef Raw) {
  return any_of(unwrap(Raw)->debug_compile_units(), [](DICompileUnit *Unit) {
    return Unit->getEmissionKind() != DICompileUnit::NoDebug;
  });
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
