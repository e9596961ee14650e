#include "plain/plain.h"

int plain() { return 32; }
