#include "other/other.h"

int other(int value) { return value; }
