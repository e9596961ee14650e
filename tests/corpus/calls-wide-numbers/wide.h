typedef __int128 Wide;
typedef float Quad __attribute__((ext_vector_type(4)));
typedef double Pair __attribute__((ext_vector_type(2)));
__device__ Wide multiply(Wide one, Wide other);
__device__ long double half_of(long double x);
__device__ Pair sum(Quad quad, Pair pair);
__device__ long through(Wide (*function)(Wide, Wide), long x);
