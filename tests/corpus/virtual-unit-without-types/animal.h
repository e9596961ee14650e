struct Animal {
  __device__ virtual int legs(int x) const = 0;
};
__device__ const Animal *other(int x);
