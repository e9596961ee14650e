#include "values.h"

int first_value() { return VALUES; }
