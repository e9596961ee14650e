#include "resource.h"
static __device__ int open = 1;
__device__ Resource::Resource(int x) : value(x + open++) {}
__device__ Resource::~Resource() { open -= value; }
__device__ int Resource::get() { return value; }
__device__ Derived::Derived(int x) : Resource(x * 2) {}
__device__ Derived::~Derived() {}
__device__ int Derived::get() { return value + open; }
__device__ int through(Resource *resource) { return resource->get(); }
