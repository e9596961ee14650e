#include "queue.h"
extern "C" __global__ void small_queue(int *p) { *p = Queue<char, 24>().exchange(*p); }
extern "C" __global__ void both_queues(int *p) {
  *p = Queue<char, 24>().exchange(*p) + wide(*p) + (int)Queue<double, 12>().exchange(*p);
}
void launch(int *p) {
  small_queue<<<1, 24>>>(p);
  both_queues<<<1, 24>>>(p);
}
