// Bitcode that depends on nothing but its module. Each function is declared with its contract in
// the Rust file that calls it: src/module.rs, src/context.rs, src/text.rs.

#include "border.h"

#include <cstdlib>
#include <memory>
#include <string>

#include "llvm-c/Core.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace {

// Number of names of metadata kinds, operand bundles and synchronization scopes that a context
// knows.
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

size_t namesUsuallyKnown() {
  LLVMContext Fresh;
  learnUsualNames(Fresh);
  return namesKnownTo(Fresh);
}

// Reads the text of a module again, in a context that knows the usual names alone. No module if
// LLVM refuses its own text, with the reason.
std::unique_ptr<Module> readAgain(const Module &M, LLVMContext &Fresh, std::string &Reason) {
  std::string Text;
  raw_string_ostream Stream(Text);
  M.print(Stream, nullptr);
  learnUsualNames(Fresh);
  SMDiagnostic Diagnostic;
  std::unique_ptr<Module> Copy = parseAssemblyString(Text, Diagnostic, Fresh);
  if (!Copy)
    Reason = Diagnostic.getMessage().str();
  return Copy;
}

LLVMMemoryBufferRef written(const Module &M) {
  std::string Bitcode;
  raw_string_ostream Stream(Bitcode);
  WriteBitcodeToFile(M, Stream);
  return wrap(MemoryBuffer::getMemBufferCopy(Bitcode).release());
}

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
  LLVMContext Fresh;
  std::string Reason;
  if (std::unique_ptr<Module> Copy = readAgain(M, Fresh, Reason))
    return written(*Copy);
  *Failure = weft::copyOf(Reason);
  return nullptr;
}

char *weft_fault_of_text(LLVMModuleRef Raw) {
  LLVMContext Fresh;
  std::string Reason;
  return readAgain(*unwrap(Raw), Fresh, Reason) ? nullptr : weft::copyOf(Reason);
}

void weft_free(char *Text) { free(Text); }

} // extern "C"
