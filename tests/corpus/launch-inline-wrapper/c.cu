#include "wrapper.h"
void (*use_c)(int *) = launch;
