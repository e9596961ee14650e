extern "C" __global__ void of_thread(int *p) { *p = 1; }
extern "C" __global__ void by_default(int *p) { *p = 2; }
extern "C" __global__ void idle(int *p) { *p = 3; }
typedef void (*Kernel)(int *);
thread_local Kernel current = by_default;
static thread_local Kernel stack[3] = {nullptr, of_thread};
void push(int i) { stack[i] = current; }
void launch(int i, int *p) {
  current<<<1, 1>>>(p);
  stack[i]<<<1, 1>>>(p);
}
