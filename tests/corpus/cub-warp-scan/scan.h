#include <cub/warp/warp_scan.cuh>

typedef cub::WarpScan<int> Scan;
inline __device__ int scan(Scan::TempStorage &storage, int x) {
  int result;
  Scan(storage).ExclusiveSum(x, result);
  return result;
}
