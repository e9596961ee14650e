__global__ void kernel(int *p) { *p = 1; }

void launch(int *p) { kernel<<<1, 1>>>(p); }
