struct Resource {
  int value;
  __device__ explicit Resource(int x);
  __device__ ~Resource();
  __device__ virtual int get();
};
struct Derived : Resource {
  __device__ explicit Derived(int x);
  __device__ ~Derived();
  __device__ int get() override;
};
__device__ int through(Resource *resource);
