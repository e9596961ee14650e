extern "C" __global__ void of_method(int *p) { *p = 1; }
extern "C" __global__ void of_initializer(int *p) { *p = 2; }
extern "C" __global__ void of_destructor(int *p) { *p = 3; }
struct Stage {
  virtual void run(int *p) = 0;
  virtual ~Stage() {}
};
namespace {
struct Fill : Stage {
  void run(int *p) override { of_method<<<1, 1>>>(p); }
  ~Fill() override { of_destructor<<<1, 1>>>(nullptr); }
};
struct AtStart {
  AtStart() { of_initializer<<<1, 1>>>(nullptr); }
} at_start;
Fill fill;
} // namespace
Stage *stage() { return &fill; }
