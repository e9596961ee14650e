__constant__ double second_half[4096] = {2};
__device__ int of_second(int i) { return second_half[i]; }
void read(void *p) { cudaMemcpyFromSymbol(p, second_half, sizeof second_half); }
