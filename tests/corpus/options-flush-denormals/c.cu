__device__ float from_c(float x) { return sqrtf(x) * 1e-30f + x / 3.0f; }
