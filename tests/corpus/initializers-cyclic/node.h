struct Node {
  Node *next;
  int value;
};
extern __device__ Node node_a, node_b, node_c;
