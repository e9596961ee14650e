struct First {
  long first = 1;
  __device__ virtual int get(int x) { return first + x; }
};
struct Second {
  long second = 2;
  __device__ virtual int get(int x);
  __device__ virtual int other(int x) { return x; }
};
struct Joined : First, Second {
  long joined = 4;
  __device__ int other(int x) override;
};
struct Last : Joined {
  __device__ int get(int x) override;
};
__device__ Second *make(void *place, int x);
