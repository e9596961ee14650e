// Arithmetic of functions: denormals, precision of division and square roots, fused
// multiplications.
//
// The four options of nvcc are stored on single functions and instructions here, so code that was
// compiled differently keeps its arithmetic within one module:
//
// - Denormals are an attribute of the function, and LLVM inlines between equal ones only.
// - The license to fuse is the flag `contract` of an instruction.
// - A division or square root that may be inexact carries `!fpmath` with nvcc's error of two units
//   in the last place. LLVM's code generator does not look at it: it makes `div.approx` where nvcc
//   makes `div.full`, and only on the flag `afn`. So such instructions finally become intrinsics.
//
// Operations that the source names itself, such as `__fdiv_rn`, are intrinsics from the start, and
// nothing here touches them. So are those that libdevice chose when the compiler linked it.

#include "arithmetic.h"

#include <cstddef>

#include "llvm-c/Core.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace {

enum class Choice : uint8_t { Own, Off, On };

// One choice for each option. `Choices` in src/arithmetic.rs.
struct Choices {
  Choice FlushDenormals;
  Choice RoundDivision;
  Choice RoundRoots;
  Choice Fuse;
};
constexpr size_t ChoicesLayout[] = {4, 0, 1, 2, 3};
static_assert(sizeof(Choices) == ChoicesLayout[0] &&
              offsetof(Choices, FlushDenormals) == ChoicesLayout[1] &&
              offsetof(Choices, RoundDivision) == ChoicesLayout[2] &&
              offsetof(Choices, RoundRoots) == ChoicesLayout[3] &&
              offsetof(Choices, Fuse) == ChoicesLayout[4]);

// Facts that a module's code shows. `ArithmeticFacts` in src/arithmetic.rs.
struct ArithmeticFacts {
  // Intrinsics that have a form for each treatment of denormals.
  bool Flushes;
  bool KeepsDenormals;
  bool HasRoundedRoots;
  bool HasApproximateRoots;
  bool HasLicense;
  bool LacksLicense;
  // Libdevice has not chosen yet between the instructions for its answers.
  bool AsksLibdevice;
  // Operations may be approximate by an option of the compiler, such as -ffast-math.
  bool IsFast;
};
constexpr size_t ArithmeticFactsLayout[] = {8, 0, 1, 2, 3, 4, 5, 6, 7};
static_assert(sizeof(ArithmeticFacts) == ArithmeticFactsLayout[0] &&
              offsetof(ArithmeticFacts, Flushes) == ArithmeticFactsLayout[1] &&
              offsetof(ArithmeticFacts, KeepsDenormals) == ArithmeticFactsLayout[2] &&
              offsetof(ArithmeticFacts, HasRoundedRoots) == ArithmeticFactsLayout[3] &&
              offsetof(ArithmeticFacts, HasApproximateRoots) == ArithmeticFactsLayout[4] &&
              offsetof(ArithmeticFacts, HasLicense) == ArithmeticFactsLayout[5] &&
              offsetof(ArithmeticFacts, LacksLicense) == ArithmeticFactsLayout[6] &&
              offsetof(ArithmeticFacts, AsksLibdevice) == ArithmeticFactsLayout[7] &&
              offsetof(ArithmeticFacts, IsFast) == ArithmeticFactsLayout[8]);

constexpr StringLiteral Denormals = "denormal-fp-math-f32";
// The error of `div.full.f32`, in units in the last place, and nvcc's for square roots.
constexpr float AllowedError = 2.0F;

bool flushes(const Function &F) {
  return F.getDenormalMode(APFloat::IEEEsingle()).Output == DenormalMode::PreserveSign;
}

bool isSingle(const Instruction &I) { return I.getType()->getScalarType()->isFloatTy(); }

bool isDivision(const Instruction &I) {
  return I.getOpcode() == Instruction::FDiv && isSingle(I);
}

bool isRoot(const Instruction &I) {
  const auto *Call = dyn_cast<IntrinsicInst>(&I);
  return Call && Call->getIntrinsicID() == Intrinsic::sqrt && isSingle(I);
}

bool canFuse(const Instruction &I) {
  return I.getOpcode() == Instruction::FAdd || I.getOpcode() == Instruction::FSub ||
         I.getOpcode() == Instruction::FMul;
}

bool mayBeInexact(const Instruction &I) {
  return I.getMetadata(LLVMContext::MD_fpmath) &&
         cast<FPMathOperator>(&I)->getFPAccuracy() >= AllowedError;
}

void round(Instruction &I, Choice Wanted) {
  if (Wanted == Choice::Own)
    return;
  I.setHasApproxFunc(false);
  I.setHasAllowReciprocal(false);
  const bool IsExact = Wanted == Choice::On;
  I.setMetadata(LLVMContext::MD_fpmath,
                IsExact ? nullptr : MDBuilder(I.getContext()).createFPMath(AllowedError));
}

// Answers libdevice's questions that are still open: no pass of the compiler has seen their code.
void answerReflection(Function &F, Choice RoundRoots) {
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    auto *Call = dyn_cast<CallInst>(&I);
    const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    if (!Callee || Callee->getName() != "__nvvm_reflect" || Call->arg_size() != 1)
      continue;
    const auto *Text = dyn_cast<GlobalVariable>(Call->getArgOperand(0)->stripPointerCasts());
    const auto *Name =
        Text && Text->hasInitializer() ? dyn_cast<ConstantDataSequential>(Text->getInitializer())
                                       : nullptr;
    if (!Name || !Name->isCString())
      continue;
    const StringRef Question = Name->getAsCString();
    if (Question != "__CUDA_FTZ" && Question != "__CUDA_PREC_SQRT")
      continue;
    const bool Answer = Question == "__CUDA_FTZ" ? flushes(F) : RoundRoots != Choice::Off;
    Call->replaceAllUsesWith(ConstantInt::get(Call->getType(), Answer));
    Call->eraseFromParent();
  }
}

// `fmuladd` is a license to fuse, too: for the two operations of one expression.
void splitFused(Function &F) {
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    auto *Call = dyn_cast<IntrinsicInst>(&I);
    if (!Call || Call->getIntrinsicID() != Intrinsic::fmuladd)
      continue;
    IRBuilder<> Builder(Call);
    Value *Product = Builder.CreateFMul(Call->getArgOperand(0), Call->getArgOperand(1));
    Call->replaceAllUsesWith(Builder.CreateFAdd(Product, Call->getArgOperand(2)));
    Call->eraseFromParent();
  }
}

bool hasOtherForm(StringRef Name) {
  constexpr StringLiteral Mark = ".ftz";
  if (Name.contains(Mark)) {
    const auto [Start, End] = Name.split(Mark);
    return Intrinsic::lookupIntrinsicID((Start + End).str()) != Intrinsic::not_intrinsic;
  }
  for (size_t Dot = Name.find('.', 10); Dot != StringRef::npos; Dot = Name.find('.', Dot + 1)) {
    const std::string Marked = (Name.take_front(Dot) + Mark + Name.drop_front(Dot)).str();
    if (Intrinsic::lookupIntrinsicID(Marked) != Intrinsic::not_intrinsic)
      return true;
  }
  return Intrinsic::lookupIntrinsicID((Name + Mark).str()) != Intrinsic::not_intrinsic;
}

// Calls an intrinsic for one scalar at a time: the intrinsics know no vectors.
Value *perElement(IRBuilder<> &Builder, Intrinsic::ID Kind, ArrayRef<Value *> Operands) {
  auto *Vector = dyn_cast<FixedVectorType>(Operands[0]->getType());
  if (!Vector)
    return Builder.CreateIntrinsic(Operands[0]->getType(), Kind, Operands);
  Value *Result = PoisonValue::get(Vector);
  for (unsigned Lane = 0; Lane != Vector->getNumElements(); ++Lane) {
    SmallVector<Value *, 2> Scalars;
    for (Value *Operand : Operands)
      Scalars.push_back(Builder.CreateExtractElement(Operand, Lane));
    Value *Scalar = Builder.CreateIntrinsic(Builder.getFloatTy(), Kind, Scalars);
    Result = Builder.CreateInsertElement(Result, Scalar, Lane);
  }
  return Result;
}

bool isOne(const Value *V) {
  const auto *Number = dyn_cast<ConstantFP>(V);
  return Number && Number->isExactlyValue(1.0);
}

bool isApproximateRoot(const Value *V) {
  const auto *Call = dyn_cast<IntrinsicInst>(V);
  return Call && (Call->getIntrinsicID() == Intrinsic::nvvm_sqrt_approx_f ||
                  Call->getIntrinsicID() == Intrinsic::nvvm_sqrt_approx_ftz_f);
}

void replace(Instruction &I, Intrinsic::ID Kind, ArrayRef<Value *> Operands) {
  IRBuilder<> Builder(&I);
  Value *Result = perElement(Builder, Kind, Operands);
  Result->takeName(&I);
  I.replaceAllUsesWith(Result);
  I.eraseFromParent();
}

void lowerDivision(Instruction &I, bool Flushes) {
  if (mayBeInexact(I)) {
    I.setMetadata(LLVMContext::MD_fpmath, nullptr);
    // The flag gives `rcp.approx`, for which LLVM has no intrinsic that keeps denormals.
    if (isOne(I.getOperand(0)))
      I.setHasApproxFunc(true);
    else
      replace(I, Flushes ? Intrinsic::nvvm_div_full_ftz : Intrinsic::nvvm_div_full,
              {I.getOperand(0), I.getOperand(1)});
  } else if (isOne(I.getOperand(0)) && isApproximateRoot(I.getOperand(1)) && !I.hasApproxFunc()) {
    // LLVM's code generator would make one `rsqrt.approx` of both, which nvcc does where the
    // division may be inexact, too.
    replace(I, Flushes ? Intrinsic::nvvm_rcp_rn_ftz_f : Intrinsic::nvvm_rcp_rn_f,
            {I.getOperand(1)});
  }
}

} // namespace

bool weft::treatDenormalsAlike(const Function &One, const Function &Other) {
  return flushes(One) == flushes(Other);
}

void weft::keepDenormalsApart(Module &M) {
  for (Function &F : M)
    for (Instruction &I : instructions(F)) {
      auto *Call = dyn_cast<CallBase>(&I);
      const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
      if (Callee && !Callee->isDeclaration() && !treatDenormalsAlike(F, *Callee)) {
        Call->removeFnAttr(Attribute::AlwaysInline);
        Call->setIsNoInline();
      }
    }
}

void weft::lowerArithmetic(Module &M) {
  for (Function &F : M) {
    const bool Flushes = flushes(F);
    // Roots first: what a division becomes depends on them.
    for (Instruction &I : make_early_inc_range(instructions(F)))
      if (isRoot(I) && mayBeInexact(I))
        replace(I, Flushes ? Intrinsic::nvvm_sqrt_approx_ftz_f : Intrinsic::nvvm_sqrt_approx_f,
                {I.getOperand(0)});
    for (Instruction &I : make_early_inc_range(instructions(F)))
      if (isDivision(I))
        lowerDivision(I, Flushes);
  }
}

extern "C" {

void weft_apply_arithmetic(LLVMValueRef Value, const Choices *Wanted) {
  Function &F = *cast<Function>(unwrap(Value));
  if (Wanted->FlushDenormals == Choice::On)
    F.addFnAttr(Denormals, "preserve-sign,preserve-sign");
  else if (Wanted->FlushDenormals == Choice::Off)
    F.removeFnAttr(Denormals);
  answerReflection(F, Wanted->RoundRoots);
  if (Wanted->Fuse == Choice::Off)
    splitFused(F);
  for (Instruction &I : instructions(F)) {
    if (!isa<FPMathOperator>(I))
      continue;
    if (isDivision(I))
      round(I, Wanted->RoundDivision);
    if (isRoot(I))
      round(I, Wanted->RoundRoots);
    if (Wanted->Fuse == Choice::Off)
      I.setHasAllowContract(false);
    else if (Wanted->Fuse == Choice::On && canFuse(I))
      I.setHasAllowContract(true);
  }
}

ArithmeticFacts weft_arithmetic_facts(LLVMModuleRef Raw) {
  ArithmeticFacts Facts = {};
  const Function *Reflection = unwrap(Raw)->getFunction("__nvvm_reflect");
  Facts.AsksLibdevice = Reflection && !Reflection->use_empty();
  for (Function &F : *unwrap(Raw)) {
    const StringRef Name = F.getName();
    if (F.isIntrinsic() && !F.use_empty() && Name.starts_with("llvm.nvvm.")) {
      if (!Name.ends_with(".d") && hasOtherForm(Name))
        (Name.contains(".ftz") ? Facts.Flushes : Facts.KeepsDenormals) = true;
      Facts.HasRoundedRoots |= F.getIntrinsicID() == Intrinsic::nvvm_sqrt_rn_f ||
                               F.getIntrinsicID() == Intrinsic::nvvm_sqrt_rn_ftz_f;
      Facts.HasApproximateRoots |= F.getIntrinsicID() == Intrinsic::nvvm_sqrt_approx_f ||
                                   F.getIntrinsicID() == Intrinsic::nvvm_sqrt_approx_ftz_f;
    }
    // Square roots themselves are calls of libdevice, which carry no flags.
    Facts.IsFast |= F.getFnAttribute("no-signed-zeros-fp-math").getValueAsBool();
    for (const Instruction &I : instructions(F)) {
      if (!isa<FPMathOperator>(I))
        continue;
      Facts.IsFast |= I.hasApproxFunc();
      if (I.hasAllowContract())
        Facts.HasLicense = true;
      else if (canFuse(I))
        Facts.LacksLicense = true;
    }
  }
  return Facts;
}

} // extern "C"
