struct Nothing {};
struct Head {
  int first;
  char second;
  __device__ __host__ constexpr Head(int first = 0, char second = 0)
      : first(first), second(second) {}
};
struct Thrifty {
  [[no_unique_address]] Nothing nothing;
  [[no_unique_address]] Head head;
  char tail;
};
struct Wasteful {
  Nothing nothing;
  Head head;
  char tail;
};
extern __device__ Thrifty thrifty;
extern __device__ Wasteful wasteful;
__device__ Thrifty swap(Thrifty thrifty);
