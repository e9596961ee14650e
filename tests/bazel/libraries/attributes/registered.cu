extern int registered;

__global__ void unused_kernel(int* values) { values[0] = 1; }

static int set() { return registered = 1; }

static int at_start = set();
