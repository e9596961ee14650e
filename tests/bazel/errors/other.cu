__global__ void other_kernel(int* values) { values[0] = 3; }

void use_other() { other_kernel<<<1, 1>>>(nullptr); }
