struct Halves {
  unsigned bits[4];
};
struct Fragment {
  float values[4];
};
__device__ Halves load(const unsigned *rows, int i);
__device__ Fragment multiply(Halves a, Halves b, Fragment sum);
