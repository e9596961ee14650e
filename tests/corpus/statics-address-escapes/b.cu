__device__ int *cell_address();
__device__ int *through_b() { return cell_address(); }
