#include "vendor/vendor.h"

int vendor() { return 0; }
