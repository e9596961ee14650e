// LLVM's analyses of one module. Each function is declared with its contract in src/analyses.rs.

#include <algorithm>
#include <cstddef>

#include "llvm-c/Core.h"
#include "llvm/Analysis/BlockFrequencyInfo.h"
#include "llvm/Analysis/IndirectCallPromotionAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ProfileSummaryInfo.h"
#include "llvm/Analysis/TypeMetadataUtils.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ModuleSummaryIndex.h"
#include "llvm/ProfileData/InstrProf.h"
#include "llvm/Passes/PassBuilder.h"

using namespace llvm;

namespace {

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

  // The module's symbol with a GUID, or null.
  GlobalValue *symbol(GlobalValue::GUID Guid) {
    if (Symbols.empty())
      for (GlobalValue &Symbol : M.global_values())
        Symbols.try_emplace(Symbol.getGUID(), &Symbol);
    return Symbols.lookup(Guid);
  }

  Module &M;
  LoopAnalysisManager Loops;
  FunctionAnalysisManager Functions;
  CGSCCAnalysisManager Sccs;
  ModuleAnalysisManager Modules;
  DenseMap<GlobalValue::GUID, GlobalValue *> Symbols;
};

// Facts of one block. `BlockFacts` in src/analyses.rs.
struct BlockFacts {
  enum : uint32_t { Unknown, Cold, Neither, Hot };
  uint32_t Frequency;
  uint32_t Temperature;
};
constexpr size_t BlockFactsLayout[] = {8, 0, 4};
static_assert(sizeof(BlockFacts) == BlockFactsLayout[0] &&
              offsetof(BlockFacts, Frequency) == BlockFactsLayout[1] &&
              offsetof(BlockFacts, Temperature) == BlockFactsLayout[2]);

// Facts of a function from a profile. `ProfileFacts` in src/analyses.rs.
struct ProfileFacts {
  bool IsKnown;
  bool IsHot;
  uint64_t EntryCount;
  uint64_t HotThreshold;
};
constexpr size_t ProfileFactsLayout[] = {24, 0, 1, 8, 16};
static_assert(sizeof(ProfileFacts) == ProfileFactsLayout[0] &&
              offsetof(ProfileFacts, IsKnown) == ProfileFactsLayout[1] &&
              offsetof(ProfileFacts, IsHot) == ProfileFactsLayout[2] &&
              offsetof(ProfileFacts, EntryCount) == ProfileFactsLayout[3] &&
              offsetof(ProfileFacts, HotThreshold) == ProfileFactsLayout[4]);

using DistantCallVisitor = void (*)(void *Data, LLVMValueRef Symbol, uint64_t Guid,
                                    uint32_t Hotness);
using TypeTestVisitor = void (*)(void *Data, const char *Id, size_t Length, uint64_t Offset,
                                 bool OutlivesItsCalls);

} // namespace

extern "C" {

Analyses *weft_analyses_create(LLVMModuleRef Raw) { return new Analyses(*unwrap(Raw)); }

void weft_analyses_dispose(Analyses *A) { delete A; }

void weft_analyses_forget(Analyses *A, LLVMValueRef Value) {
  Function &F = *cast<Function>(unwrap(Value));
  A->Functions.clear(F, F.getName());
}

void weft_analyses_blocks(Analyses *A, LLVMValueRef Value, BlockFacts *Facts) {
  Function &F = *cast<Function>(unwrap(Value));
  auto &Frequencies = A->Functions.getResult<BlockFrequencyAnalysis>(F);
  const ProfileSummaryInfo &Profile = A->profile();
  const uint64_t Entry = std::max<uint64_t>(1, Frequencies.getEntryFreq().getFrequency());
  for (BasicBlock &Block : F) {
    const unsigned __int128 Frequency = Frequencies.getBlockFreq(&Block).getFrequency();
    Facts->Frequency = static_cast<uint32_t>(
        std::min<unsigned __int128>(Frequency * 256 / Entry, UINT32_MAX));
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

// Follows computeFunctionSummary of LLVM's ModuleSummaryAnalysis.cpp in what makes an edge.
void weft_analyses_distant_calls(Analyses *A, LLVMValueRef Value, DistantCallVisitor Visit,
                                 void *Data) {
  using Hotness = CalleeInfo::HotnessType;
  Function &F = *cast<Function>(unwrap(Value));
  const auto Report = [&](GlobalValue *Symbol, GlobalValue::GUID Guid, Hotness Heat) {
    Visit(Data, Symbol ? wrap(Symbol) : nullptr, Guid, static_cast<uint32_t>(Heat));
  };
  const ProfileSummaryInfo &Profile = A->profile();
  ICallPromotionAnalysis Promotion;
  for (Instruction &I : instructions(F)) {
    auto *Call = dyn_cast<CallBase>(&I);
    if (!Call || isa<Constant>(Call->getCalledOperand()) || Call->isInlineAsm())
      continue;
    if (const MDNode *Callees = I.getMetadata(LLVMContext::MD_callees))
      for (const MDOperand &Operand : Callees->operands())
        if (auto *Callee = mdconst::dyn_extract_or_null<Function>(Operand))
          Report(Callee, Callee->getGUID(), Hotness::Unknown);
    uint64_t Total = 0;
    uint32_t Candidates = 0;
    for (const InstrProfValueData &Candidate :
         Promotion.getPromotionCandidatesForInstruction(&I, Total, Candidates)) {
      const Hotness Heat = Profile.isHotCount(Candidate.Count)    ? Hotness::Hot
                           : Profile.isColdCount(Candidate.Count) ? Hotness::Cold
                                                                  : Hotness::None;
      Report(A->symbol(Candidate.Value), Candidate.Value, Heat);
    }
  }
  for (const GlobalValue::GUID Guid : F.getImportGUIDs())
    Report(A->symbol(Guid), Guid, Hotness::Critical);
}

void weft_analyses_type_tests(Analyses *A, LLVMValueRef Value, TypeTestVisitor Visit,
                              void *Data) {
  Function &F = *cast<Function>(unwrap(Value));
  if (F.isDeclaration())
    return;
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

} // extern "C"
