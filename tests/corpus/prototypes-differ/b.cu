extern "C" __device__ float mixed(float x) { return 2 * x; }
