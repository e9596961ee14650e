static __constant__ int lookup[6] = {1, 4, 9, 16, 25, 36};
__device__ int other_lookup(int i);
extern "C" __global__ void look_up(int *p) { *p = lookup[*p % 6] + other_lookup(*p); }
void launch(int *p) { look_up<<<1, 1>>>(p); }
