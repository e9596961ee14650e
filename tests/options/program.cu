__device__ int of_narrow(int x);
__device__ int of_wide(int x);

__global__ void of_program(int *out) { *out = of_narrow(*out) + of_wide(*out); }

int main() { of_program<<<1, 1>>>(nullptr); }
