__device__ int put(cudaSurfaceObject_t surface, int x, int value) {
  surf1Dwrite(value, surface, x * 4);
  return value;
}
