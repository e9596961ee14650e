#define NAME source
#include "kernel.cu"
