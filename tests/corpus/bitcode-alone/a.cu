__device__ int of_b_function(int x);
extern "C" __device__ int by_driver_too = 3;
extern "C" __global__ void by_driver(int *p) { *p = of_b_function(*p) + by_driver_too; }
