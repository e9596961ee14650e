// Of the array, two elements are written, each with one value.
static __device__ unsigned seen[8] = {1, 2, 3, 4};
static __device__ unsigned last = 9;
extern "C" __device__ unsigned visit(unsigned index) {
  unsigned before = seen[1] + seen[3] * last;
  seen[1] = 0;
  seen[3] = 7;
  if (index > 3)
    last = 5;
  return before;
}
