// Targets and traces: parts of LLVM that emit a module and that its C API does not offer. Each
// function is declared with its contract in the Rust file that calls it: src/module.rs,
// src/target_machine.rs, src/libnvvm.rs, src/trace.rs.

#include "border.h"
#include "guarded.h"
#include "start.h"

#include <memory>
#include <string>

#include "llvm-c/Core.h"
#include "llvm-c/TargetMachine.h"
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

using weft::copyOf;

// Stretches that are shorter, in microseconds, are left out.
constexpr unsigned TraceGranularity = 500;

// Passes of the code generator that take registers for addresses and loop invariants. ptxas does
// the same work, and knows what a register costs.
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

char *weft_target_data_layout(weft::Bytes Name) {
  return copyOf(Triple(StringRef(Name)).computeDataLayout());
}

char *weft_unknown_processor(weft::Bytes Name) {
  const Triple Nvptx("nvptx64-nvidia-cuda");
  std::string Failure;
  const Target *T = TargetRegistry::lookupTarget(Nvptx, Failure);
  if (!T)
    return copyOf(Failure);
  // Asked with no processor, for LLVM prints a warning about unknown ones.
  std::unique_ptr<MCSubtargetInfo> Info(T->createMCSubtargetInfo(Nvptx, "", ""));
  if (Info->isCPUStringValid(Name))
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

char *weft_emit(LLVMTargetMachineRef Machine, LLVMModuleRef Raw, LLVMMemoryBufferRef *Assembly,
                bool *HasCrashed) {
  return weft::guarded(weft::NoLimit, *HasCrashed, [&]() -> Error {
    char *Reason = nullptr;
    if (!LLVMTargetMachineEmitToMemoryBuffer(Machine, Raw, LLVMAssemblyFile, &Reason, Assembly))
      return Error::success();
    Error Failure = createStringError(Twine(Reason));
    LLVMDisposeMessage(Reason);
    return Failure;
  });
}

void weft_set_nvvm_version(LLVMModuleRef Raw, const uint32_t *Version) {
  setNvvmVersion(*unwrap(Raw), Version);
}

LLVMMemoryBufferRef weft_smallest_kernel(weft::Bytes Layout, const uint32_t *Version) {
  weft::startLLVM();
  LLVMContext Context;
  Module M("smallest", Context);
  M.setTargetTriple(Triple("nvptx64-nvidia-cuda"));
  M.setDataLayout(StringRef(Layout));
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

void weft_trace_start() {
  weft::startLLVM();
  timeTraceProfilerInitialize(TraceGranularity, "backend-job");
}

bool weft_trace_is_on() { return timeTraceProfilerEnabled(); }

void weft_trace_begin(weft::Bytes Name, weft::Bytes Detail) {
  timeTraceProfilerBegin(StringRef(Name), StringRef(Detail));
}

void weft_trace_end() { timeTraceProfilerEnd(); }

void weft_trace_leave_thread() {
  if (timeTraceProfilerEnabled())
    timeTraceProfilerFinishThread();
}

char *weft_trace_write() {
  if (!timeTraceProfilerEnabled())
    return nullptr;
  SmallString<0> Json;
  raw_svector_ostream Stream(Json);
  timeTraceProfilerWrite(Stream);
  timeTraceProfilerCleanup();
  return copyOf(std::string(Json));
}

} // extern "C"
