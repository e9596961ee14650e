#include "nested.h"
__device__ int of_b(Deep deep) { return value(deep) + State<Deep>::last++; }
