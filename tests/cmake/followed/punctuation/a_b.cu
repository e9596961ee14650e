#define NAME underscore
#include "../kernel.cu"
