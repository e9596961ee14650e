extern "C" {
__device__ int named_variable = 5;
}
__device__ int needed_by_name(int x) { return x * named_variable; }
