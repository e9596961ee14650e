// Variables whose type is an integer of a width that PTX has no type for.
//
// LLVM's optimizer makes a static variable that only ever holds two values an `i1`. LLVM 22's NVPTX
// target and libnvvm print such variables wrongly. A declaration gets the type `.pred`, which ptxas
// takes for registers alone ("Predicate variable 'x' must be in register state space"). clang's
// output never declares one, as they are static, but importers of a promoted one do, and so do
// partitions. A definition with the initial value `true` gets `.u8 x = -1`, and a load that relies
// on 0 or 1 then yields 255. Other widths get types such as `.u3` and `.u24`, which PTX does not
// have. Elements of arrays and of structures are printed as bytes, which is right.
//
// This is https://github.com/llvm/llvm-project/issues/154337. The file can go when both code
// generators print declarations and definitions of such variables as PTX that ptxas takes, with the
// right values.

#pragma once

#include "llvm/IR/Module.h"

namespace weft {

// Gives each variable of such a type, defined or declared, the integer type that fills the same
// memory. The initial value is extended by zeros, which is how LLVM stores and loads these
// integers. Nothing else of the variable changes. It comes after the optimizer, which would narrow
// the variables again.
void widenOddIntegers(llvm::Module &M);

} // namespace weft
