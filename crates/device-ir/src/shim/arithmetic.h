// Arithmetic of functions, where LLVM's passes would not see to it.

#pragma once

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace weft {

// Whether both flush denormals or both keep them. Only then can one be inlined into the other.
bool treatDenormalsAlike(const llvm::Function &One, const llvm::Function &Other);

// Forbids inlining where it would change how denormals are treated. LLVM looks at that itself,
// except for functions that must be inlined.
void keepDenormalsApart(llvm::Module &M);

// Writes the divisions and square roots of single precision that may be inexact as the intrinsics
// of the instructions that nvcc takes for them. It comes after the optimizer, which knows nothing
// of intrinsics.
void lowerArithmetic(llvm::Module &M);

} // namespace weft
