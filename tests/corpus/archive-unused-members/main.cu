__device__ int of_member(int x);
extern "C" __global__ void use(int *p) { *p = of_member(*p); }
int main() { use<<<1, 1>>>(nullptr); }
