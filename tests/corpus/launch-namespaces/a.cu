namespace outer {
inline namespace v2 {
__global__ void work(int *p) { *p = 2; }
} // namespace v2
namespace v1 {
__global__ void work(int *p) { *p = 1; }
} // namespace v1
namespace {
__global__ void work_here(int *p) { *p = 3; }
} // namespace
} // namespace outer
namespace outer_v2 {
__global__ void work(int *p) { *p = 4; }
} // namespace outer_v2
namespace v2 {
__global__ void work(int *p) { *p = 5; }
} // namespace v2
void launch(int *p) {
  outer::work<<<1, 1>>>(p);
  v2::work<<<1, 1>>>(p);
  outer::work_here<<<1, 1>>>(p);
}
