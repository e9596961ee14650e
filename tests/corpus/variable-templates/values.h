template <class T> __device__ T value = T(1);
template <> inline __device__ double value<double> = 2.5;
template <class T, int N> __device__ T buffer[N] = {T(N)};
template <class T> inline constexpr T half_pi = T(1.5707963267948966);
