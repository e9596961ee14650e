struct Cell {
  char tag;
  int value;
};
struct Board {
  char head;
  Cell cells[3];
};
extern __device__ int grid[4][4];
extern __device__ Board board;
extern __device__ const int *before[2];
__device__ const int *before_a();
