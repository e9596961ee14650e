#include "animal.h"
struct Dog : Animal {
  __device__ int legs(int x) const override { return 4 * x; }
};
__device__ const Dog dog;
extern "C" __global__ void use(int *p) {
  const Animal *animal = *p & 1 ? &dog : other(*p);
  *p = animal->legs(*p);
}
void launch(int *p) { use<<<1, 1>>>(p); }
