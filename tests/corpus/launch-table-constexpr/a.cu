extern "C" __global__ void a_first(int *p) { *p = 1; }
extern "C" __global__ void a_second(int *p) { *p = 2; }
extern "C" __global__ void a_third(int *p) { *p = 3; }
extern "C" __global__ void a_fourth(int *p) { *p = 4; }
void launch_a(int *p, int which) {
  constexpr void (*table[])(int *) = {a_first, a_second, a_third, a_fourth};
  table[which]<<<1, 1>>>(p);
}
