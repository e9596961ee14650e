// Numbers of LLVM's that hold for the whole process. The function is declared with its contract in
// src/settings.rs.

#include "border.h"
#include "start.h"

#include "llvm/Support/CommandLine.h"

using namespace llvm;

extern "C" {

bool weft_set_option(weft::Bytes Name, weft::Bytes Value) {
  weft::startLLVM();
  auto &Known = cl::getRegisteredOptions();
  auto Found = Known.find(Name);
  // LLVM returns whether there was an error.
  return Found != Known.end() &&
         !Found->second->addOccurrence(0, Found->first, Value);
}

} // extern "C"
