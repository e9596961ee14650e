// C++ by its name, CUDA by an option of the library that the program links.
__device__ int twice(int value);

__global__ void main_kernel(int* values) { values[0] = twice(values[0]) + 1; }

void start();
void fill();
void fill_detail();
void run_portable();
void run_own();

int main() {
  start();
  fill();
  fill_detail();
  run_portable();
  run_own();
  main_kernel<<<1, 1>>>(nullptr);
}
