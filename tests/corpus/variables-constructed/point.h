template <class T> struct Point {
  T x, y;
  char tag = 'p';
  constexpr __host__ __device__ Point(T x, T y) : x(x * 2), y(y + x) {}
  __device__ T sum() const { return x + y + tag; }
};
extern __device__ Point<double> origin;
inline __device__ Point<float> unit_point{0.5f, 0.25f};
