extern "C" __global__ void normal(int *p) { *p = 1; }
extern "C" __global__ void of_handler(int *p) { *p = 2; }
extern "C" __global__ void of_cleanup(int *p) { *p = 3; }
extern "C" __global__ void of_filter(int *p) { *p = 4; }
void may_throw(int x);
struct Cleanup {
  int *p;
  ~Cleanup() { of_cleanup<<<1, 1>>>(p); }
};
void launch(int *p) noexcept(false) {
  try {
    Cleanup cleanup{p};
    normal<<<1, 1>>>(p);
    may_throw(*p);
  } catch (int code) {
    of_handler<<<1, 1>>>(p);
  } catch (...) {
    of_filter<<<1, 1>>>(p);
    throw;
  }
}
