__global__ void wanted(int *p) { *p = 1; }
__global__ void unwanted(int *p) { *p = 2; }
