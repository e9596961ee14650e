static __device__ int cell = 7;
__device__ int *cell_address() { return &cell; }
__device__ bool is_cell(const int *p) { return p == &cell; }
