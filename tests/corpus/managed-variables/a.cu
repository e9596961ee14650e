extern "C" __device__ int *managed_address();
extern "C" __global__ void use_managed(int *p) { *p = *managed_address(); }
void launch(int *p) { use_managed<<<1, 1>>>(p); }
