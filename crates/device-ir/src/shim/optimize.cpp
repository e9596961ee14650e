// The optimization pipeline, with an inliner that asks Rust about each call. Each function is
// declared with its contract in src/inline/shim.rs or src/handles/function.rs.

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "arithmetic.h"
#include "border.h"
#include "call_types.h"
#include "function_aliases.h"
#include "guarded.h"
#include "known_targets.h"
#include "large_constants.h"
#include "local_arrays.h"
#include "local_choices.h"
#include "odd_integers.h"
#include "scoped_atomics.h"
#include "wide_memory.h"

#include "llvm-c/Core.h"
#include "llvm-c/TargetMachine.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/BlockFrequencyInfo.h"
#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/Analysis/InlineAdvisor.h"
#include "llvm/Analysis/InlineCost.h"
#include "llvm/Analysis/LazyCallGraph.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/ProfileSummaryInfo.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Passes/StandardInstrumentations.h"
#include "llvm/Support/Error.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/IPO/GlobalOpt.h"
#include "llvm/Transforms/IPO/ModuleInliner.h"

using namespace llvm;

namespace {

// One call, as LLVM sees it. `CallFacts` in src/inline/shim.rs.
struct CallFacts {
  enum : uint32_t { Open, Always, Never };
  LLVMValueRef Call;
  LLVMValueRef Caller;
  LLVMValueRef Callee;
  // Decision of attributes before any cost, and its reason.
  uint32_t Demand;
  const char *DemandReason;
  // Reason why the body cannot be inlined at all, or null.
  const char *NotViable;
  // The growth that LLVM expects of inlining, 5 for each instruction.
  bool HasGrowth;
  int32_t Growth;
  // LLVM's own decision.
  bool LlvmInlines;
  int32_t LlvmCost;
  int32_t LlvmThreshold;
  uint32_t LoopDepth;
  // Arguments that are constants, and those that point into the caller's stack.
  uint32_t ConstantArguments;
  uint32_t StackArguments;
  // The callee can reach the caller by calls.
  bool IsRecursive;
  // Nothing else refers to the callee, which is local: its body moves.
  bool IsOnlyCall;
};
constexpr size_t CallFactsLayout[] = {88,0,8,16,24,32,40,48,52,56,60,64,68,72,76,80,81};
static_assert(sizeof(CallFacts) == CallFactsLayout[0] &&
              offsetof(CallFacts, Call) == CallFactsLayout[1] &&
              offsetof(CallFacts, Caller) == CallFactsLayout[2] &&
              offsetof(CallFacts, Callee) == CallFactsLayout[3] &&
              offsetof(CallFacts, Demand) == CallFactsLayout[4] &&
              offsetof(CallFacts, DemandReason) == CallFactsLayout[5] &&
              offsetof(CallFacts, NotViable) == CallFactsLayout[6] &&
              offsetof(CallFacts, HasGrowth) == CallFactsLayout[7] &&
              offsetof(CallFacts, Growth) == CallFactsLayout[8] &&
              offsetof(CallFacts, LlvmInlines) == CallFactsLayout[9] &&
              offsetof(CallFacts, LlvmCost) == CallFactsLayout[10] &&
              offsetof(CallFacts, LlvmThreshold) == CallFactsLayout[11] &&
              offsetof(CallFacts, LoopDepth) == CallFactsLayout[12] &&
              offsetof(CallFacts, ConstantArguments) == CallFactsLayout[13] &&
              offsetof(CallFacts, StackArguments) == CallFactsLayout[14] &&
              offsetof(CallFacts, IsRecursive) == CallFactsLayout[15] &&
              offsetof(CallFacts, IsOnlyCall) == CallFactsLayout[16]);

// The functions of Rust's that decide. `Asker` in src/inline/shim.rs.
struct Asker {
  void *Data;
  // Whether LLVM's own decision is wanted, too.
  bool AsksLlvm;
  bool (*Advise)(void *Data, const CallFacts *Facts);
  void (*Conclude)(void *Data, const LLVMValueRef *Kept);
  int32_t (*Bonus)(LLVMValueRef Callee);
};
constexpr size_t AskerLayout[] = {40, 0, 8, 16, 24, 32};
static_assert(sizeof(Asker) == AskerLayout[0] && offsetof(Asker, Data) == AskerLayout[1] &&
              offsetof(Asker, AsksLlvm) == AskerLayout[2] &&
              offsetof(Asker, Advise) == AskerLayout[3] &&
              offsetof(Asker, Conclude) == AskerLayout[4] &&
              offsetof(Asker, Bonus) == AskerLayout[5]);

// LLVM's own thresholds. `Thresholds` in src/inline/shim.rs.
struct Thresholds {
  int32_t General;
  int32_t Hint;
  int32_t Cold;
  int32_t ColdCall;
  int32_t HotCall;
  // Negative where the general one applies.
  int32_t LocallyHotCall;
};
constexpr size_t ThresholdsLayout[] = {24, 0, 4, 8, 12, 16, 20};
static_assert(sizeof(Thresholds) == ThresholdsLayout[0] &&
              offsetof(Thresholds, General) == ThresholdsLayout[1] &&
              offsetof(Thresholds, Hint) == ThresholdsLayout[2] &&
              offsetof(Thresholds, Cold) == ThresholdsLayout[3] &&
              offsetof(Thresholds, ColdCall) == ThresholdsLayout[4] &&
              offsetof(Thresholds, HotCall) == ThresholdsLayout[5] &&
              offsetof(Thresholds, LocallyHotCall) == ThresholdsLayout[6]);

// Choices that determine the pipeline. `Order` in src/inline/shim.rs.
struct Order {
  Thresholds Limits;
  bool CountsFullCost;
  bool Defers;
  bool KeepsAllocasApart;
  bool UnrollsLoops;
  // Bytes of the largest local constant that may be in constant memory.
  uint64_t LargestConstant;
};
constexpr size_t OrderLayout[] = {40, 0, 24, 25, 26, 27, 32};
static_assert(sizeof(Order) == OrderLayout[0] && offsetof(Order, Limits) == OrderLayout[1] &&
              offsetof(Order, CountsFullCost) == OrderLayout[2] &&
              offsetof(Order, Defers) == OrderLayout[3] &&
              offsetof(Order, KeepsAllocasApart) == OrderLayout[4] &&
              offsetof(Order, UnrollsLoops) == OrderLayout[5] &&
              offsetof(Order, LargestConstant) == OrderLayout[6]);

// State of one run of the pipeline.
struct Run {
  Run(const Asker &Asked, const Order &Wanted, const Module &M) : Asked(Asked), Wanted(Wanted) {
    for (const Function &F : M)
      Before[F.getName()] = F.getInstructionCount();
  }

  const Asker &Asked;
  const Order &Wanted;
  // The calls that were asked about, as `CALLER\0CALLEE`.
  StringSet<> Known;
  // Number of instructions that each function came with.
  StringMap<unsigned> Before;

  // Whether there is nothing to simplify in a function as long as nothing is inlined into it. The
  // compiler has simplified it, and what was learned of the program since has not changed it.
  // Arrays on the stack and calls through pointers are what passes of our own look at in the middle
  // of simplification; code that nothing has simplified yet has its variables on the stack.
  bool isSettled(const Function &F) const {
    return !F.isDeclaration() && Before.lookup(F.getName()) == F.getInstructionCount() &&
           none_of(instructions(F), [](const Instruction &I) {
             const auto *Call = dyn_cast<CallBase>(&I);
             return isa<AllocaInst>(I) || (Call && Call->isIndirectCall());
           });
  }

  static std::string pair(const Function &Caller, const Function &Callee) {
    return (Caller.getName() + Twine('\0') + Callee.getName()).str();
  }
};

// LLVM's plug-in interface takes a function without data.
thread_local Run *CurrentRun = nullptr;

class AskedAdvice : public InlineAdvice {
public:
  AskedAdvice(InlineAdvisor *Advisor, CallBase &Call, OptimizationRemarkEmitter &ORE,
              bool Recommended, const Asker &Asked)
      : InlineAdvice(Advisor, Call, ORE, Recommended), Call(wrap(&Call)), Asked(Asked) {}

private:
  void recordInliningImpl() override { Asked.Conclude(Asked.Data, nullptr); }
  void recordInliningWithCalleeDeletedImpl() override { Asked.Conclude(Asked.Data, nullptr); }
  void recordUnsuccessfulInliningImpl(const InlineResult &) override {
    Asked.Conclude(Asked.Data, &Call);
  }
  void recordUnattemptedInliningImpl() override { Asked.Conclude(Asked.Data, &Call); }

  // Gone when the call was inlined.
  const LLVMValueRef Call;
  const Asker &Asked;
};

class AskingAdvisor : public InlineAdvisor {
public:
  AskingAdvisor(Module &M, FunctionAnalysisManager &FAM, InlineParams Params, InlineContext IC,
                Run &Current)
      : InlineAdvisor(M, FAM, IC), Params(Params), Asked(Current.Asked), Current(Current) {}

  void onPassEntry(LazyCallGraph::SCC *Scc) override {
    Component.clear();
    if (!Scc)
      return;
    for (LazyCallGraph::Node &Node : *Scc) {
      Function &F = Node.getFunction();
      Component.insert(&F);
      // The result is forgotten when something is inlined into the function.
      if (Current.isSettled(F))
        FAM.getResult<ShouldNotRunFunctionPassesAnalysis>(F);
    }
  }

private:
  std::unique_ptr<InlineAdvice> getAdviceImpl(CallBase &Call) override {
    CallFacts Facts = factsOf(Call);
    Current.Known.insert(Run::pair(*Call.getCaller(), *Call.getCalledFunction()));
    const bool Recommended = Asked.Advise(Asked.Data, &Facts);
    return std::make_unique<AskedAdvice>(this, Call, getCallerORE(Call), Recommended, Asked);
  }

  // `alwaysinline` is carried out before all else; the caller is told of it.
  std::unique_ptr<InlineAdvice> getMandatoryAdvice(CallBase &Call, bool Advice) override {
    return Advice ? getAdviceImpl(Call) : InlineAdvisor::getMandatoryAdvice(Call, Advice);
  }

  CallFacts factsOf(CallBase &Call) {
    Function &Caller = *Call.getCaller();
    Function &Callee = *Call.getCalledFunction();
    auto Assumptions = [&](Function &F) -> AssumptionCache & {
      return FAM.getResult<AssumptionAnalysis>(F);
    };
    auto Library = [&](Function &F) -> const TargetLibraryInfo & {
      return FAM.getResult<TargetLibraryAnalysis>(F);
    };
    auto Frequencies = [&](Function &F) -> BlockFrequencyInfo & {
      return FAM.getResult<BlockFrequencyAnalysis>(F);
    };
    auto *Profile = FAM.getResult<ModuleAnalysisManagerFunctionProxy>(Caller)
                        .getCachedResult<ProfileSummaryAnalysis>(M);
    auto &Target = FAM.getResult<TargetIRAnalysis>(Callee);

    CallFacts Facts = {};
    Facts.Call = wrap(&Call);
    Facts.Caller = wrap(&Caller);
    Facts.Callee = wrap(&Callee);
    if (std::optional<InlineResult> Settled =
            getAttributeBasedInliningDecision(Call, &Callee, Target, Library)) {
      Facts.Demand = Settled->isSuccess() ? CallFacts::Always : CallFacts::Never;
      Facts.DemandReason = Settled->isSuccess() ? "" : Settled->getFailureReason();
    }
    // LLVM inlines what must be inlined without a look at the attributes. The callee's instructions
    // would flush denormals, or keep them, as the caller does.
    if (Facts.Demand == CallFacts::Always && !weft::treatDenormalsAlike(Caller, Callee)) {
      Facts.Demand = CallFacts::Never;
      Facts.DemandReason = "caller and callee treat denormals differently";
    }
    if (InlineResult Viable = isInlineViable(Callee); !Viable.isSuccess())
      Facts.NotViable = Viable.getFailureReason();
    if (!Callee.isDeclaration() && Facts.Demand == CallFacts::Open && !Facts.NotViable) {
      if (std::optional<int> Growth = getInliningCostEstimate(
              Call, Target, Assumptions, Frequencies, Library, Profile, nullptr)) {
        Facts.HasGrowth = true;
        Facts.Growth = *Growth;
        // LLVM subtracts a bonus that is not part of the caller's growth: the callee is gone
        // afterwards.
        Facts.IsOnlyCall = Callee.hasLocalLinkage() && Callee.hasOneLiveUse();
        if (Facts.IsOnlyCall)
          Facts.Growth += Target.getInliningLastCallToStaticBonus();
      }
      auto Cost = [&](CallBase &Site) {
        const int32_t Bonus = Asked.Bonus(wrap(Site.getCalledFunction()));
        InlineParams ForSite = Params;
        // LLVM stops counting at the limit, and the bonus may bring the whole cost below it.
        if (Bonus != 0)
          ForSite.ComputeFullInlineCost = true;
        InlineCost Plain = getInlineCost(Site, ForSite, Target, Assumptions, Library, Frequencies,
                                         Profile, nullptr);
        if (Bonus == 0 || !Plain.isVariable())
          return Plain;
        return InlineCost::get(Plain.getCost() - Bonus, Plain.getThreshold(),
                               Plain.getStaticBonusApplied());
      };
      if (Asked.AsksLlvm) {
        const InlineCost Shown = Cost(Call);
        Facts.LlvmInlines = shouldInline(Call, Target, Cost, getCallerORE(Call),
                                         Params.EnableDeferral.value_or(false))
                                .has_value();
        if (Shown.isVariable()) {
          Facts.LlvmCost = Shown.getCost();
          Facts.LlvmThreshold = Shown.getThreshold();
        }
      }
    }
    Facts.LoopDepth = FAM.getResult<LoopAnalysis>(Caller).getLoopDepth(Call.getParent());
    for (Value *Argument : Call.args()) {
      if (isa<Constant>(Argument))
        ++Facts.ConstantArguments;
      else if (Argument->getType()->isPointerTy() && isa<AllocaInst>(getUnderlyingObject(Argument)))
        ++Facts.StackArguments;
    }
    Facts.IsRecursive = Component.contains(&Callee);
    return Facts;
  }

  const InlineParams Params;
  const Asker &Asked;
  Run &Current;
  // The functions of the component that is being inlined into.
  SmallPtrSet<Function *, 8> Component;
};

InlineAdvisor *createAdvisor(Module &M, FunctionAnalysisManager &FAM, InlineParams Params,
                             InlineContext IC) {
  const Order &Wanted = CurrentRun->Wanted;
  Params.HintThreshold = Wanted.Limits.Hint;
  Params.ColdThreshold = Wanted.Limits.Cold;
  Params.ColdCallSiteThreshold = Wanted.Limits.ColdCall;
  Params.HotCallSiteThreshold = Wanted.Limits.HotCall;
  Params.LocallyHotCallSiteThreshold.reset();
  if (Wanted.Limits.LocallyHotCall >= 0)
    Params.LocallyHotCallSiteThreshold = Wanted.Limits.LocallyHotCall;
  // LLVM looks at whether there is a value, and not at the value.
  Params.ComputeFullInlineCost.reset();
  if (Wanted.CountsFullCost)
    Params.ComputeFullInlineCost = true;
  Params.EnableDeferral = Wanted.Defers;
  return new AskingAdvisor(M, FAM, Params, IC, *CurrentRun);
}

// Without the markers of their lifetimes no two arrays on the stack may share their place.
struct ForgetLifetimes : PassInfoMixin<ForgetLifetimes> {
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    for (Function &F : M)
      for (Instruction &I : make_early_inc_range(instructions(F)))
        if (I.isLifetimeStartOrEnd())
          I.eraseFromParent();
    return PreservedAnalyses::none();
  }
};

// Inlines again when a call became direct after its caller had been through the inliner, as calls
// do whose pointer lay in a variable that turned out to be constant.
class InlineNewCalls : public PassInfoMixin<InlineNewCalls> {
public:
  InlineNewCalls(ModulePassManager Passes, const Run &Current)
      : Passes(std::move(Passes)), Current(Current) {}

  PreservedAnalyses run(Module &M, ModuleAnalysisManager &Analyses) {
    return any_of(M, [this](Function &F) { return hasNewCall(F); }) ? Passes.run(M, Analyses)
                                                                    : PreservedAnalyses::all();
  }

private:
  bool hasNewCall(Function &F) const {
    return !F.hasOptNone() && any_of(instructions(F), [&](Instruction &I) {
      const auto *Call = dyn_cast<CallBase>(&I);
      const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
      return Callee && !Callee->isDeclaration() && !Current.Known.contains(Run::pair(F, *Callee));
    });
  }

  ModulePassManager Passes;
  const Run &Current;
};

ModulePassManager pipelineFor(PassBuilder &Builder, OptimizationLevel Level, const Order &Wanted,
                              const Run &Current) {
  constexpr ThinOrFullLTOPhase Phase = ThinOrFullLTOPhase::ThinLTOPostLink;
  ModulePassManager Passes;
  if (Level == OptimizationLevel::O0) {
    Passes.addPass(Builder.buildThinLTODefaultPipeline(Level, nullptr));
  } else {
    // LLVM's own pipeline of this name, in its two halves.
    Passes.addPass(Builder.buildModuleSimplificationPipeline(Level, Phase));
    ModulePassManager Again;
    Again.addPass(Builder.buildInlinerPipeline(Level, Phase));
    Again.addPass(GlobalOptPass());
    Again.addPass(GlobalDCEPass());
    Passes.addPass(InlineNewCalls(std::move(Again), Current));
    Passes.addPass(Builder.buildModuleOptimizationPipeline(Level, Phase));
  }
  if (Wanted.KeepsAllocasApart)
    Passes.addPass(ForgetLifetimes());
  return Passes;
}

OptimizationLevel levelOf(uint32_t Level) {
  switch (Level) {
  case 0:
    return OptimizationLevel::O0;
  case 1:
    return OptimizationLevel::O1;
  case 2:
    return OptimizationLevel::O2;
  default:
    return OptimizationLevel::O3;
  }
}

void optimize(Module &M, TargetMachine &Machine, OptimizationLevel Level, const Order &Wanted,
              const Asker &Asked) {
  weft::adaptCalls(M);
  weft::keepDenormalsApart(M);
  weft::openScopedAtomics(M);
  weft::moveLargeConstants(M, Wanted.LargestConstant);
  PipelineTuningOptions Tuning;
  Tuning.InlinerThreshold = Wanted.Limits.General;
  // Otherwise LLVM unrolls loops that the source or UnrollLocalArrays asks for. ptxas unrolls by
  // what it knows of the machine, and takes longest over what has been unrolled before.
  Tuning.LoopUnrolling = Wanted.UnrollsLoops;
  PassInstrumentationCallbacks Callbacks;
  TimeProfilingPassesHandler Timing;
  // Does nothing unless a trace was asked for.
  Timing.registerCallbacks(Callbacks);
  PassBuilder Builder(&Machine, Tuning, std::nullopt, &Callbacks);
  Builder.registerScalarOptimizerLateEPCallback(
      [](FunctionPassManager &Passes, OptimizationLevel) {
        Passes.addPass(weft::PromoteKnownTargets());
      });
  Builder.registerPeepholeEPCallback([](FunctionPassManager &Passes, OptimizationLevel) {
    Passes.addPass(weft::ReadLocalChoices());
  });
  Builder.registerLateLoopOptimizationsEPCallback([](LoopPassManager &Passes, OptimizationLevel) {
    Passes.addPass(weft::UnrollLocalArrays());
  });
  LoopAnalysisManager Loops;
  FunctionAnalysisManager Functions;
  CGSCCAnalysisManager Sccs;
  ModuleAnalysisManager Modules;
  Run Current(Asked, Wanted, M);
  CurrentRun = &Current;
  Modules.registerPass([] { return PluginInlineAdvisorAnalysis(createAdvisor); });
  Builder.registerModuleAnalyses(Modules);
  Builder.registerCGSCCAnalyses(Sccs);
  Builder.registerFunctionAnalyses(Functions);
  Builder.registerLoopAnalyses(Loops);
  Builder.crossRegisterProxies(Loops, Functions, Sccs, Modules);
  pipelineFor(Builder, Level, Wanted, Current).run(M, Modules);
  weft::lowerArithmetic(M);
  weft::nameFunctionsInTables(M);
  weft::widenOddIntegers(M);
  weft::widenMemory(M);
  CurrentRun = nullptr;
}

} // namespace

extern "C" {

char *weft_optimize(LLVMModuleRef Raw, LLVMTargetMachineRef RawMachine, uint32_t Level,
                    const Order *Wanted, const Asker *Asked, bool *HasCrashed) {
  auto &Machine = *reinterpret_cast<TargetMachine *>(RawMachine);
  return weft::guarded(weft::NoLimit, *HasCrashed, [&] {
    optimize(*unwrap(Raw), Machine, levelOf(Level), *Wanted, *Asked);
    return Error::success();
  });
}

uint32_t weft_instruction_count(LLVMValueRef Function) {
  return cast<llvm::Function>(unwrap(Function))->getInstructionCount();
}

} // extern "C"
