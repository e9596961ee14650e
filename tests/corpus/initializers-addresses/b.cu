__device__ int numbers[10] = {0, 1, 2, 3, 4, 5};
__device__ int reached_by_data(int x) { return numbers[x % 10]; }
