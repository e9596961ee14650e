extern "C" {
__device__ int copied_b[3] = {1, 2, 3}, nobody_b[4];
}
void copy(int *p) { cudaMemcpyFromSymbol(p, copied_b, sizeof copied_b); }
