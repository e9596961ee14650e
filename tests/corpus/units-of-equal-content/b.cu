#include "same.h"
