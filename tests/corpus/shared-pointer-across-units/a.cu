struct View {
  int *begin;
  int size;
};
__device__ void fill(View view, int value);
__device__ int *middle(View view);
extern "C" __global__ void use(int *p) {
  __shared__ int data[48];
  View view;
  view.begin = data;
  view.size = 48;
  fill(view, *p);
  __syncthreads();
  *p = *middle(view);
}
void launch(int *p) { use<<<1, 32>>>(p); }
