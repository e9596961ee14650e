#include <cassert>
__device__ int *make(int n) {
  int *memory = static_cast<int *>(malloc(n * sizeof(int)));
  assert(memory && "no memory on the heap");
  for (int i = 0; i < n; ++i)
    memory[i] = i;
  printf("made %d\n", n);
  return memory;
}
