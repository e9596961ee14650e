// Tables of functions that name a function by an alias of the same module.
//
// LLVM 22's NVPTX target prints the address of an alias in an initial value as `generic(alias)`, as
// it does for variables, and ptxas refuses that for a function ("Invalid initial value
// expression"). The optimizer replaces such aliases by their functions, but not without
// optimization. clang's own output has no such tables unless table and alias are in one unit.

#pragma once

namespace llvm {
class Module;
} // namespace llvm

namespace weft {

// Lets initial values of variables name functions instead of their aliases. Both have the same
// address. Calls stay as they are.
void nameFunctionsInTables(llvm::Module &M);

} // namespace weft
