inline __device__ int total = 5;
inline __constant__ double limits[3] = {1, 2, 3};
struct Config {
  static inline __device__ int level = 9;
};
