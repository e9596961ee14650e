struct Complex {
  float real, imaginary;
};
template <class T> struct Limits {
  T largest = T(3.4e38), smallest = T(1.2e-38), nothing = -T(0);
};
extern __device__ float singles[8];
extern __constant__ double doubles[8];
extern __device__ _Float16 halves[4];
extern __device__ __bf16 brains[3];
extern __device__ Complex complex[2];
template <class T> __constant__ const Limits<T> limits_of;
