extern "C" __global__ void worker(int *p);
void launch(int *p) { worker<<<1, 1>>>(p); }
