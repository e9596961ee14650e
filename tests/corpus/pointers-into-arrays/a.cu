#include "grid.h"
__device__ int *const corners[4] = {grid[0], &grid[2][3], grid[3] - 1, grid[0] + 16};
__device__ Cell *cells[3] = {&board.cells[1], board.cells + 2, &board.cells[0]};
__device__ int *inside = &board.cells[1].value;
extern "C" __global__ void use(int *p) {
  *p = *corners[*p & 1] + cells[*p & 1]->value + *inside + *before[*p & 1] + *before_a();
}
void launch(int *p) {
  use<<<1, 1>>>(p);
  cudaMemcpyToSymbol(grid, p, sizeof *p);
}
