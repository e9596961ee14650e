#define NAME plus
#include "../kernel.cu"
