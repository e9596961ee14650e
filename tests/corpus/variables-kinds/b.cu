extern __device__ short partly[6];
extern __device__ char large[];
__device__ int select(int i) { return partly[5] + large[i]; }
