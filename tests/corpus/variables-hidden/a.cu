namespace deeply::nested {
__device__ int hidden = 8;
inline namespace v2 {
__attribute__((visibility("protected"))) __device__ int shown = 9;
}
__device__ int f(int x) { return x * hidden; }
} // namespace deeply::nested
void set(int x) { cudaMemcpyToSymbol(deeply::nested::hidden, &x, 4); }
