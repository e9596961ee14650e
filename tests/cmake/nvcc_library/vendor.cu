__device__ int vendor_state;
__device__ int vendor_get(int i) { return vendor_state + i; }
__global__ void vendor_kernel(int v) { vendor_state = v; }
void vendor_init(int v) { vendor_kernel<<<1, 1>>>(v); }
