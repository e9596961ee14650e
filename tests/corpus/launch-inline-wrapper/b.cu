#include "wrapper.h"
void use_b(int *p) { launch(p); }
