extern "C" __global__ void dynamic_node(int *p) { *p = 1; }
extern "C" __global__ void static_node(int *p) { *p = 2; }
extern "C" __global__ void no_node(int *p) { *p = 3; }
cudaKernelNodeParams prepared = {(void *)static_node, dim3(1), dim3(1), 0, nullptr, nullptr};
void add(cudaGraph_t graph, int *p) {
  void *arguments[] = {&p};
  cudaKernelNodeParams parameters = {};
  parameters.func = (void *)dynamic_node;
  parameters.gridDim = parameters.blockDim = dim3(1);
  parameters.kernelParams = arguments;
  cudaGraphNode_t node;
  cudaGraphAddKernelNode(&node, graph, nullptr, 0, &parameters);
}
