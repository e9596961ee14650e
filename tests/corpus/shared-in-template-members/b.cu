#include "queue.h"
__device__ int wide(int x) {
  return Queue<Wide, 6>().exchange(Wide{{x}}).content[0] + Queue<char, 24>().exchange(x);
}
