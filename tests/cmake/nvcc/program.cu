__global__ void kernel(float *p) { p[0] = p[1] / p[2]; }

int main() { kernel<<<1, 1>>>(nullptr); }
