extern __shared__ int board[40];
extern __shared__ double pair_of_b[2];
__device__ int read_board(int i);
