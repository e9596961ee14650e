extern "C" __device__ int original(int), other_name(int), third_name(int);
extern "C" __global__ void use(int *p) {
  int (*f)(int) = *p > 3 ? original : other_name;
  *p = f(*p) + other_name(*p) + third_name(*p);
}
void launch(int *p) { use<<<1, 1>>>(p); }
