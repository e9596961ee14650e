#include <cstdio>

void step(int *values);

int main() {
  step(nullptr);
  std::puts("done");
  return 0;
}
