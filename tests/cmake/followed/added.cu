#define NAME added
#include "kernel.cu"
