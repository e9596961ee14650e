typedef short Vector __attribute__((ext_vector_type(3)));
struct Mixed {
  char first;
  _BitInt(37) middle;
  char last;
  bool flag : 1;
  unsigned rest : 15;
};
extern __device__ _BitInt(13) small[4];
extern __device__ _BitInt(90) large[4];
extern __device__ Mixed mixed;
extern __device__ Vector vectors[2];
extern __device__ bool mask[2][4];
