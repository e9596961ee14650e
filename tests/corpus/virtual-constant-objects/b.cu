#include "rule.h"
__device__ int Scale::apply(int x) { return x * factor; }
__device__ int Shift::apply(int x) { return x << amount; }
__device__ Scale first = {3};
__device__ Shift second = {1}, second_too = {4};
static __device__ Shift hidden = {7};
__device__ Rule &last() { return hidden; }
