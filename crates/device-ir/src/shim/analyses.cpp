// LLVM's analyses of one module. Each function is declared with its contract in src/analyses.rs.

#include <algorithm>
#include <cstddef>

#include "llvm-c/Core.h"
#include "llvm/Analysis/BlockFrequencyInfo.h"
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

  Module &M;
  LoopAnalysisManager Loops;
  FunctionAnalysisManager Functions;
  CGSCCAnalysisManager Sccs;
  ModuleAnalysisManager Modules;
};

// Facts of one block. `BlockFacts` in src/analyses.rs.
struct BlockFacts {
  enum : uint32_t { Unknown, Cold, Neither, Hot };
  uint32_t Frequency;
  uint32_t LoopDepth;
  uint32_t Temperature;
};
constexpr size_t BlockFactsLayout[] = {12, 0, 4, 8};
static_assert(sizeof(BlockFacts) == BlockFactsLayout[0] &&
              offsetof(BlockFacts, Frequency) == BlockFactsLayout[1] &&
              offsetof(BlockFacts, LoopDepth) == BlockFactsLayout[2] &&
              offsetof(BlockFacts, Temperature) == BlockFactsLayout[3]);

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

using TypeTestVisitor = void (*)(void *Data, const char *Id, size_t Length, uint64_t Offset,
                                 bool OutlivesItsCalls);

} // namespace

extern "C" {

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
