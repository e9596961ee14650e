#include <values.h>

int more_values() { return first_value() + 1; }
