#include "api/api.h"

extern "C" int shared_works() { return api_works(); }
