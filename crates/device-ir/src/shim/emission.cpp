// What LLVM's C API does not offer of targets, sizes and traces: all that has to do with emitting a
// module. Each function is declared with its contract in src/emission_shim.rs; nothing else calls
// them. Strings that cross the border are allocated with malloc.

#include <cstring>
#include <memory>
#include <string>

#include "llvm-c/Core.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/TimeProfiler.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;

namespace {

char *copyOf(const std::string &Text) { return strdup(Text.c_str()); }

// Stretches that are shorter, in microseconds, are left out.
constexpr unsigned TraceGranularity = 500;

// Passes of the code generator that take registers for addresses and loop invariants. ptxas does the same
// work, and knows what a register costs.
constexpr StringLiteral LeftToPtxas[] = {"disable-lsr", "disable-machine-licm"};

// Version of the IR, major and minor, then that of its debug information.
constexpr unsigned VersionNumbers = 4;

void setNvvmVersion(Module &M, const uint32_t *Version) {
  Type *Number = Type::getInt32Ty(M.getContext());
  SmallVector<Metadata *, VersionNumbers> Numbers;
  for (unsigned Position = 0; Position != VersionNumbers; ++Position)
    Numbers.push_back(ConstantAsMetadata::get(ConstantInt::get(Number, Version[Position])));
  NamedMDNode *Node = M.getOrInsertNamedMetadata("nvvmir.version");
  Node->clearOperands();
  Node->addOperand(MDNode::get(M.getContext(), Numbers));
}

} // namespace

extern "C" {

char *weft_target_data_layout(const char *Name, size_t Length) {
  return copyOf(Triple(StringRef(Name, Length)).computeDataLayout());
}

char *weft_unknown_processor(const char *Name, size_t Length) {
  const Triple Nvptx("nvptx64-nvidia-cuda");
  std::string Failure;
  const Target *T = TargetRegistry::lookupTarget(Nvptx, Failure);
  if (!T)
    return copyOf(Failure);
  // Asked with no processor, for LLVM prints a warning about unknown ones.
  std::unique_ptr<MCSubtargetInfo> Info(T->createMCSubtargetInfo(Nvptx, "", ""));
  if (Info->isCPUStringValid(StringRef(Name, Length)))
    return nullptr;
  std::string Known;
  for (const SubtargetSubTypeKV &Processor : Info->getAllProcessorDescriptions()) {
    if (!Known.empty())
      Known += ", ";
    Known += Processor.Key;
  }
  return copyOf(Known);
}

bool weft_leave_loops_to_ptxas() {
  const auto &Options = cl::getRegisteredOptions();
  return all_of(LeftToPtxas, [&](StringRef Name) {
    const auto Found = Options.find(Name);
    return Found != Options.end() && !Found->second->addOccurrence(0, Name, "true");
  });
}

void weft_set_nvvm_version(LLVMModuleRef Raw, const uint32_t *Version) {
  setNvvmVersion(*unwrap(Raw), Version);
}

LLVMMemoryBufferRef weft_smallest_kernel(const char *Layout, size_t Length,
                                         const uint32_t *Version) {
  LLVMContext Context;
  Module M("smallest", Context);
  M.setTargetTriple(Triple("nvptx64-nvidia-cuda"));
  M.setDataLayout(StringRef(Layout, Length));
  setNvvmVersion(M, Version);
  Function *F = Function::Create(FunctionType::get(Type::getVoidTy(Context), false),
                                 GlobalValue::ExternalLinkage, "kernel", M);
  F->setCallingConv(CallingConv::PTX_Kernel);
  IRBuilder<>(BasicBlock::Create(Context, "", F)).CreateRetVoid();
  std::string Bitcode;
  raw_string_ostream Stream(Bitcode);
  WriteBitcodeToFile(M, Stream);
  return wrap(MemoryBuffer::getMemBufferCopy(Bitcode).release());
}

void weft_trace_start() { timeTraceProfilerInitialize(TraceGranularity, "backend-job"); }

bool weft_trace_is_on() { return timeTraceProfilerEnabled(); }

void weft_trace_begin(const char *Name, size_t NameLength, const char *Detail,
                      size_t DetailLength) {
  timeTraceProfilerBegin(StringRef(Name, NameLength), StringRef(Detail, DetailLength));
}

void weft_trace_end() { timeTraceProfilerEnd(); }

void weft_trace_leave_thread() { timeTraceProfilerFinishThread(); }

void weft_trace_write(char **Text) {
  *Text = nullptr;
  if (!timeTraceProfilerEnabled())
    return;
  SmallString<0> Json;
  raw_svector_ostream Stream(Json);
  timeTraceProfilerWrite(Stream);
  timeTraceProfilerCleanup();
  *Text = copyOf(std::string(Json));
}

} // extern "C"
