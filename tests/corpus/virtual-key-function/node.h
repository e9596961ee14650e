struct Node {
  int value = 5;
  __device__ Node() {}
  __device__ virtual int key(int x);
  __device__ virtual int inherited(int x) { return x + value; }
};
struct Leaf : Node {
  __device__ int key(int x) override;
  __device__ int inherited(int x) override { return x - value; }
};
__device__ int call(Node &node, int x);
