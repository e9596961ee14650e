#include "grid.h"
__device__ int grid[4][4] = {{1}, {2}, {3}, {4, 5, 6, 7}};
__device__ Board board = {9, {{1, 2}, {3, 4}, {5, 6}}};
static __device__ int hidden[3] = {7, 8, 9};
__device__ const int *before[2] = {&hidden[1], hidden + 2};
__device__ const int *before_a() { return &hidden[2]; }
