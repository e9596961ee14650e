#include "api/api.h"

#include "cuda/field.h"

int api_works() { return fill_field() + norm_of_field() >= 0; }
