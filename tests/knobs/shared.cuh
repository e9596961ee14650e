// Functions of the other units.
#pragma once

__device__ float small(float x);
__device__ float medium(float x, int steps);
__device__ float large(float x);
__device__ float chosen(int which, float x);
__device__ float helped(float x);
__device__ __noinline__ float apart(float x);

struct Shape {
  __device__ virtual float area(float side) const = 0;
};

struct Square : Shape {
  __device__ float area(float side) const override;
};
