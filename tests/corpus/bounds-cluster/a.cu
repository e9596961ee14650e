extern "C" __global__ void __cluster_dims__(2, 1, 1) fixed_cluster(int *p) { *p = blockIdx_x; }
extern "C" __global__ void __launch_bounds__(128, 2, 8) limited_cluster(int *p) { *p = blockIdx_x; }
void launch(int *p) {
  fixed_cluster<<<4, 32>>>(p);
  limited_cluster<<<8, 128>>>(p);
}
