extern "C" {
void launch_aliased(int *), launch_chained(int *), launch_weakly(int *), launch_set(int *);
void launch_versioned(int *), launch_instance(int *), call_here(int *);
void __device_stub__reads(int *);
extern int host_state;
int cudaMemcpyToSymbol(const void *, const void *, unsigned long);
}
void (*const table[])(int *) = {launch_chained, launch_weakly};
int main(int argc, char **) {
  cudaMemcpyToSymbol(&host_state, &argc, sizeof argc);
  launch_aliased(nullptr);
  launch_set(nullptr);
  launch_versioned(nullptr);
  launch_instance(nullptr);
  call_here(nullptr);
  __device_stub__reads(nullptr);
  table[argc & 1](nullptr);
}
