// Reading of bitcode, all at once or in parts. Each function is declared with its contract in the
// Rust file that calls it: src/module.rs, src/changes.rs, src/mover.rs, src/context.rs.

#include <cstddef>
#include <memory>
#include <string>

#include "border.h"
#include "changes.h"
#include "guarded.h"
#include "start.h"

#include "llvm-c/Core.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/AutoUpgrade.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Linker/IRMover.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace {

// Memory that reading `Size` bytes of bitcode, or the bodies that were left for later, may take, in
// bytes: more than real modules do, and far less than damaged ones can ask for. An instruction of a
// few bytes becomes an object of some hundred with its operands.
size_t readingBudget(size_t Size) { return (size_t(1) << 30) + 256 * Size; }

// Checks the module. `IsPart` says that bodies are missing yet: LLVM's reader looks at debug
// information when it has read all of them, and drops what is broken.
Error verified(Module &M, bool IsPart = false) {
  std::string Reason;
  raw_string_ostream Stream(Reason);
  bool HasBrokenDebugInfo = false;
  const bool IsBroken = verifyModule(M, &Stream, IsPart ? &HasBrokenDebugInfo : nullptr);
  return IsBroken ? createStringError(Reason) : Error::success();
}

// Marks kernels and their bounds as current LLVM does. LLVM before 21 wrote these into metadata.
// LLVM's reader turns that into calling conventions and attributes once it has read every body, and
// leaves an empty list behind. In a lazily read module, symbols are queried before that, and some
// bodies are never read.
Error upgradeKernels(Module &M) {
  if (Error Failure = M.materializeMetadata())
    return Failure;
  UpgradeNVVMAnnotations(M);
  NamedMDNode *Annotations = M.getNamedMetadata("nvvm.annotations");
  if (Annotations && Annotations->getNumOperands() == 0)
    Annotations->eraseFromParent();
  return Error::success();
}

// One of the parts of equal numbers of functions that a module is read in. `Share` in
// src/changes.rs.
struct Share {
  size_t Index;
  size_t Count;
};
constexpr size_t ShareLayout[] = {16, 0, 8};
static_assert(sizeof(Share) == ShareLayout[0] && offsetof(Share, Index) == ShareLayout[1] &&
              offsetof(Share, Count) == ShareLayout[2]);

} // namespace

extern "C" {

void weft_start() {
  weft::startLLVM();
  install_fatal_error_handler(weft::giveUp);
}

char *weft_bitcode_producer(weft::Bytes Bitcode) {
  weft::startLLVM();
  char *Name = nullptr;
  weft::runGuarded(readingBudget(Bitcode.Length), [&] {
    Expected<std::string> Producer =
        getBitcodeProducerString(MemoryBufferRef(Bitcode, ""));
    if (Producer)
      Name = weft::copyOf(*Producer);
    else
      consumeError(Producer.takeError());
  });
  return Name;
}

LLVMModuleRef weft_read(LLVMContextRef Context, weft::Bytes Bitcode, bool Lazily, bool IsOlder,
                        char **Failure, bool *HasCrashed) {
  Module *Result = nullptr;
  *Failure = weft::guarded(readingBudget(Bitcode.Length), *HasCrashed, [&]() -> Error {
    std::unique_ptr<MemoryBuffer> Buffer = MemoryBuffer::getMemBufferCopy(Bitcode);
    Expected<std::unique_ptr<Module>> Read =
        Lazily ? getOwningLazyBitcodeModule(std::move(Buffer), *unwrap(Context))
               : parseBitcodeFile(Buffer->getMemBufferRef(), *unwrap(Context));
    if (!Read)
      return Read.takeError();
    if (IsOlder)
      if (Error Failure = upgradeKernels(**Read))
        return Failure;
    if (!Lazily)
      if (Error Failure = verified(**Read))
        return Failure;
    Result = Read->release();
    return Error::success();
  });
  return wrap(Result);
}

char *weft_load(LLVMModuleRef Raw, size_t Size, const LLVMValueRef *Dropped, size_t Count,
                bool *HasCrashed) {
  return weft::guarded(readingBudget(Size), *HasCrashed, [&]() -> Error {
    Module &M = *unwrap(Raw);
    // Metadata of a definition would otherwise come back once it is a declaration.
    if (Error Failure = M.materializeMetadata())
      return Failure;
    for (LLVMValueRef Value : ArrayRef(Dropped, Count))
      weft::dropDefinition(*cast<GlobalValue>(unwrap(Value)));
    if (Error Failure = M.materializeAll())
      return Failure;
    return verified(M);
  });
}

bool weft_has_been_read(LLVMValueRef Value) {
  return !cast<Function>(unwrap(Value))->isMaterializable();
}

char *weft_read_metadata(LLVMModuleRef Raw, size_t Size, bool *HasCrashed) {
  return weft::guarded(readingBudget(Size), *HasCrashed, [&]() -> Error {
    Module &M = *unwrap(Raw);
    if (Error Failure = M.materializeMetadata())
      return Failure;
    // LLVM's reader does this when it has read everything.
    UpgradeModuleFlags(M);
    return verified(M, /*IsPart=*/true);
  });
}

char *weft_read_bodies(LLVMModuleRef Raw, size_t Size, size_t Limit, Share Part, bool *IsLast,
                       bool *HasCrashed) {
  return weft::guarded(readingBudget(Size), *HasCrashed, [&]() -> Error {
    Module &M = *unwrap(Raw);
    size_t Instructions = 0;
    size_t Definition = 0;
    *IsLast = true;
    // Reading a body may declare functions, which LLVM appends.
    for (Function &F : M) {
      const bool IsOfPart = !F.isDeclaration() && Definition++ % Part.Count == Part.Index;
      if (!IsOfPart || !F.isMaterializable())
        continue;
      if (Instructions >= Limit) {
        *IsLast = false;
        break;
      }
      if (Error Failure = F.materialize())
        return Failure;
      Instructions += F.getInstructionCount();
    }
    const bool IsWhole = *IsLast && Part.Count == 1;
    if (IsWhole)
      if (Error Failure = M.materializeAll())
        return Failure;
    return verified(M, /*IsPart=*/!IsWhole);
  });
}

IRMover *weft_mover_create(LLVMModuleRef Destination) {
  return new IRMover(*unwrap(Destination));
}

void weft_mover_dispose(IRMover *Mover) { delete Mover; }

char *weft_mover_move(IRMover *Mover, LLVMModuleRef Source, size_t Size, const LLVMValueRef *Values,
                      size_t Count, bool Imports, bool *HasCrashed) {
  return weft::guarded(readingBudget(Size), *HasCrashed, [&]() -> Error {
    std::unique_ptr<Module> Owned(unwrap(Source));
    if (Error Failure = Owned->materializeMetadata())
      return Failure;
    // Flags say how a unit was compiled, and the linked module is the importer's: LLVM would refuse
    // sources whose flags differ, such as `EnableSplitLTOUnit`, and leave traces of the others.
    // Only the versions of debug information describe what moves along.
    weft::keepFlags(*Owned, [](StringRef Name) {
      return Name == "Debug Info Version" || Name == "Dwarf Version";
    });
    SmallVector<GlobalValue *, 32> Wanted;
    for (LLVMValueRef Value : ArrayRef(Values, Count)) {
      Wanted.push_back(cast<GlobalValue>(unwrap(Value)));
      if (Error Failure = Wanted.back()->materialize())
        return Failure;
    }
    if (Imports)
      weft::declareOtherAliases(*Owned, Wanted);
    return Mover->move(std::move(Owned), Wanted, [](GlobalValue &, IRMover::ValueAdder) {},
                       /*IsPerformingImport=*/Imports);
  });
}

} // extern "C"
