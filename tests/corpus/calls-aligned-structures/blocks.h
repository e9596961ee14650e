struct Bytes {
  char content[24];
};
struct __align__(64) Line {
  int content[4];
};
struct __attribute__((packed)) Packed {
  char tag;
  int value;
};
__device__ Bytes from_a(Bytes bytes, int i);
__device__ Line from_b(Bytes bytes, Line line, int i);
__device__ Packed packed(Packed pair, int i);
