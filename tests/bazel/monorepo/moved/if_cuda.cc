#include <cstdio>

#ifdef CUDA_ENABLED
#include "moved/launch.h"
#endif

int main() {
#ifdef CUDA_ENABLED
  launch();
  std::puts("with CUDA");
#else
  std::puts("without CUDA");
#endif
}
