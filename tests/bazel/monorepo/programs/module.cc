#include "api/api.h"

extern "C" int module_works() { return api_works(); }
