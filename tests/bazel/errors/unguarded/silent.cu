__global__ void launched(int* values) { values[0] = 1; }

__global__ void launched_elsewhere(int* values) { values[0] = 2; }

void launch() { launched<<<1, 1>>>(nullptr); }
