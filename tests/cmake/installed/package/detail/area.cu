// A second source of one name, whose object has the same name in the archive.
__global__ void detail_kernel(float* areas) { areas[0] = 1.0f; }

void fill_detail() { detail_kernel<<<1, 1>>>(nullptr); }
