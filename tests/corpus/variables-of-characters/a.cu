#include "texts.h"
extern "C" __global__ void use(int *p) {
  const Text &text = texts[*p & 3];
  *p = text.narrow[*p & 3] + text.wide[*p & 1] + text.large[1] + words[*p & 1][2] + quoted[*p & 15];
}
void launch(int *p) {
  use<<<1, 1>>>(p);
  cudaMemcpyToSymbol(words, p, 4);
}
