extern __shared__ char buffer[];
__device__ char peek(int i) { return buffer[i]; }
