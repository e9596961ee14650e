// The host linker leaves this member of the archive out.
__global__ void unused_kernel(int) {}
void unused(int v) { unused_kernel<<<1, 1>>>(v); }
