extern __shared__ float dynamic[];
__device__ float odd_bytes(int i) {
  __shared__ char bytes[7];
  bytes[i % 7] = i;
  __syncthreads();
  return bytes[(i + 3) % 7];
}
__device__ float from_dynamic(int i) { return dynamic[31 - i]; }
