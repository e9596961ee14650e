__device__ int failures;
__device__ void fail(int code) {
  failures = code;
  __builtin_trap();
}
__device__ void leave() { asm volatile("exit;"); }
