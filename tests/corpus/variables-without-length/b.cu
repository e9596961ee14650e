#include "message.h"
static __device__ Message words = {12, "hello, world"};
__device__ int nothing[0], nothing_too[0];
static __device__ Tail last = {{}, 1, {5, 6}};
__device__ Message &greeting() { return words; }
__device__ Tail &tail_of_b() { return last; }
__device__ const int *after(const Tail &tail) { return tail.numbers + tail.count - 1; }
