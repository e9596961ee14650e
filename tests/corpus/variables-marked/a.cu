extern "C" {
__device__ __attribute__((retain)) int retained = 1;
__device__ int by_dead = 3;
__device__ int by_live = 4;
__global__ void dead(int *p) { *p = by_dead; }
__global__ void live(int *p) { *p = by_live; }
}
void run(int *p) { live<<<1, 1>>>(p); }
