#include "visitor.h"
__device__ int walk(Visitor &visitor, int x) { return visitor.visit(x) + visitor.visit(x + 1); }
__device__ int of_b(int x) { return make<char>()->visit(x) - make<int>()->visit(x) + total(x); }
