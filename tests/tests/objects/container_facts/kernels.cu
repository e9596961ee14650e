// Kernels, each of which a reader of cubins could take for something else.

extern "C" {
__device__ int other(int);
extern __device__ int unsized[];
extern __device__ int elsewhere;
__device__ int (*pointer)(int);
__device__ int table[16] = {1, 2, 3};
__device__ int zeros[8];
__constant__ int constants[5] = {4, 5};
extern __shared__ int dynamic[];

__device__ __noinline__ int leaf(int x) {
    int a[40];
    for (int i = 0; i < 40; ++i)
        a[i] = x * i;
    int sum = 0;
    for (int i = 0; i < x; ++i)
        sum += a[(i * x) % 40];
    return sum;
}

__device__ __noinline__ int middle(int x) { return leaf(x) * leaf(x + 1) + 1; }

__device__ __noinline__ int factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }

__global__ void empty() {}

__global__ void loops(int *p, int n) {
    int sum = 0;
#pragma unroll 1
    for (int i = 0; i < n; ++i) {
#pragma unroll 1
        for (int j = 0; j < i; ++j) {
            sum ^= p[j];
            if (sum == 7)
                continue;
            p[i] = sum / (j + 3);
        }
    }
    *p = sum;
}

__global__ void unrolled(float *p) {
    float sum = 0;
    for (int i = 0; i < 16; ++i)
        sum = sum * p[i] + 1;
    *p = sum;
}

__global__ void calling(int *p, int n) {
    for (int i = 0; i < n; ++i)
        p[i] = middle(p[i]);
    *p += leaf(n) + table[n];
}

__global__ void recursive(int *p) { *p = factorial(*p) + zeros[*p]; }

__global__ void indirect(int *p) { *p = pointer(*p) + unsized[*p] + elsewhere; }

__global__ void outside(int *p, int n) {
    for (int i = 0; i < n; ++i)
        p[i] = other(i);
}

__global__ void __launch_bounds__(96) shared(int *p) {
    __shared__ int own[33];
    own[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    asm volatile("bar.sync 1, 64;" ::: "memory");
    dynamic[threadIdx.x] = own[32 - threadIdx.x] + constants[threadIdx.x];
    __syncthreads();
    p[threadIdx.x] = dynamic[31 - threadIdx.x];
}

__global__ void spilling(double *p) {
    double a[24];
#pragma unroll
    for (int i = 0; i < 24; ++i)
        a[i] = p[i * 32];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 24; ++i)
        p[i] = a[i] * a[23 - i] + a[(i * 7) % 24];
}

__global__ void dividing(double *p) { p[0] = p[1] / p[2] + 1.0 / p[3]; }

__global__ void choosing(int *p, int n) {
#pragma unroll 1
    for (int i = 0; i < n; ++i)
        switch (p[i]) {
        case 0: p[1] = 3; break;
        case 1: p[2] = 4 * n; break;
        case 2: p[3] = n * n; break;
        case 3: p[5] = n / 3; break;
        case 4: p[9] += n; break;
        case 5: p[11] = p[3]; break;
        case 6: return;
        default: p[0] = 1;
        }
}
}
