__managed__ int managed_counter = 17;
extern "C" __device__ int *managed_address() { return &managed_counter; }
extern "C" __global__ void nvcc_use(int *p) { managed_counter += *p; }
int run(int *p) {
  nvcc_use<<<1, 1>>>(p);
  return managed_counter;
}
