extern "C" __device__ int for_nvcc(int x);
extern "C" __device__ int second_of_nvcc(int x) { return for_nvcc(x) + 1; }
