extern __shared__ char tile[];
extern "C" __device__ char peek(int i) { return tile[i]; }
extern "C" __global__ void small_tile(char *p) { *p = peek(*p); }
void launch_small(char *p) { small_tile<<<1, 32, 64>>>(p); }
