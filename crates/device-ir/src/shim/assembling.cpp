// Bitcode of a module in LLVM's text form, for the unit tests. No product links this file.

#include "border.h"
#include "start.h"

#include <memory>
#include <string>

#include "llvm-c/Core.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

extern "C" LLVMMemoryBufferRef weft_assemble(weft::Bytes Text) {
  weft::startLLVM();
  LLVMContext Context;
  SMDiagnostic Diagnostic;
  // The parser looks for a zero behind the text.
  const std::string Terminated = StringRef(Text).str();
  std::unique_ptr<Module> Parsed = parseAssemblyString(Terminated, Diagnostic, Context);
  if (!Parsed)
    return nullptr;
  std::string Bitcode;
  raw_string_ostream Stream(Bitcode);
  WriteBitcodeToFile(*Parsed, Stream);
  return wrap(MemoryBuffer::getMemBufferCopy(Bitcode).release());
}
