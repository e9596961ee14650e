struct Node {
  int value;
  __device__ Node(int value) : value(value) {}
  __device__ virtual int get() const { return value; }
  __device__ virtual void set(int x) { value = x; }
};
template <class T> struct Typed : Node {
  T more;
  __device__ Typed(int value) : Node(value), more(value) {}
  __device__ int get() const override { return value + (int)more; }
};
__device__ int read(const Node *node);
extern __device__ char storage[2][64];
