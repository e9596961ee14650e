#include "call_types.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace {

bool areEqual(Type *One, Type *Other) {
  if (One == Other)
    return true;
  auto *OneArray = dyn_cast<ArrayType>(One), *OtherArray = dyn_cast<ArrayType>(Other);
  if (OneArray && OtherArray)
    return OneArray->getNumElements() == OtherArray->getNumElements() &&
           areEqual(OneArray->getElementType(), OtherArray->getElementType());
  auto *OneStruct = dyn_cast<StructType>(One), *OtherStruct = dyn_cast<StructType>(Other);
  return OneStruct && OtherStruct && OneStruct->isPacked() == OtherStruct->isPacked() &&
         !OneStruct->isOpaque() && !OtherStruct->isOpaque() &&
         equal(OneStruct->elements(), OtherStruct->elements(), areEqual);
}

// `V` as a value of the equal type `Wanted`.
Value *as(Type *Wanted, Value *V, IRBuilder<> &Builder) {
  if (V->getType() == Wanted)
    return V;
  const auto *Structure = dyn_cast<StructType>(Wanted);
  const unsigned Count = Structure ? Structure->getNumElements()
                                   : static_cast<unsigned>(Wanted->getArrayNumElements());
  Value *Result = PoisonValue::get(Wanted);
  for (unsigned Position = 0; Position != Count; ++Position) {
    Type *Element = ExtractValueInst::getIndexedType(Wanted, Position);
    Value *Part = as(Element, Builder.CreateExtractValue(V, Position), Builder);
    Result = Builder.CreateInsertValue(Result, Part, Position);
  }
  return Result;
}

} // namespace

bool weft::adaptCall(CallBase &Call, FunctionType *Wanted) {
  FunctionType *Present = Call.getFunctionType();
  if (Present == Wanted)
    return true;
  if (!isa<CallInst>(Call) || cast<CallInst>(Call).isMustTailCall() ||
      Present->isVarArg() != Wanted->isVarArg() ||
      !equal(Present->params(), Wanted->params()) ||
      !areEqual(Present->getReturnType(), Wanted->getReturnType()))
    return false;
  SmallVector<Use *, 8> Uses;
  for (Use &U : Call.uses())
    Uses.push_back(&U);
  Call.mutateFunctionType(Wanted);
  IRBuilder<> Builder(Call.getNextNode());
  Value *Result = as(Present->getReturnType(), &Call, Builder);
  for (Use *U : Uses)
    U->set(Result);
  return true;
}

void weft::adaptCalls(Module &M) {
  for (Function &F : M)
    for (Instruction &I : make_early_inc_range(instructions(F)))
      if (auto *Call = dyn_cast<CallBase>(&I))
        if (auto *Callee = dyn_cast<Function>(Call->getCalledOperand()))
          adaptCall(*Call, Callee->getFunctionType());
}
