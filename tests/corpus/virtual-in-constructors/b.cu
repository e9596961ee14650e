#include "tree.h"
__device__ Left::Left() { sum += ask(this); }
__device__ Top::Top() { sum += ask(this); }
__device__ int ask(Root *root) { return root->own(root->sum); }
