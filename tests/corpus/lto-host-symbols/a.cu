extern "C" __device__ int hidden_copy = 5;
extern "C" __global__ void hidden_launch(int *p) { *p = hidden_copy; }
