#include "start.h"
int main() {
  start(nullptr);
  Options options;
  options.blocks = 4;
  start_with(nullptr, options);
}
