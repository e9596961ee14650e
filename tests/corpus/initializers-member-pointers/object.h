struct Object {
  int a = 1, b = 2;
  __device__ int plain(int x);
  __device__ int other(int x);
  __device__ virtual int dynamic(int x);
};
typedef int (Object::*Method)(int);
