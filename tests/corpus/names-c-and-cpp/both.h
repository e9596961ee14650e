extern "C" __device__ int both(int x);
__device__ int both(double x);
__device__ int both(unsigned x);
namespace hidden {
static __device__ int _Z4bothd = 5;
}
