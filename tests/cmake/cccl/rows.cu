#include <cub/device/device_segmented_sort.cuh>

// One of its kernels launches others, for which nvlink needs NVIDIA's device runtime.
void order_rows(const int *values, int *ordered, int count, const int *starts, int rows) {
  size_t bytes = 0;
  void *scratch = nullptr;
  cub::DeviceSegmentedSort::SortKeys(scratch, bytes, values, ordered, count, rows, starts,
                                     starts + 1);
  if (cudaMalloc(&scratch, bytes) == cudaSuccess) {
    cub::DeviceSegmentedSort::SortKeys(scratch, bytes, values, ordered, count, rows, starts,
                                       starts + 1);
    cudaFree(scratch);
  }
}
