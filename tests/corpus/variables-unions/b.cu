#include "choice.h"
static __device__ Choice target = {.number = 9};
__device__ Choice choices[4] = {{.name = "abcdefg"}, {.number = -1}, {.pointer = &target}, {}};
__constant__ Split table_of_b[2] = {{.whole = 0x1122334455667788}, {.pair = {1, 2}}};
__device__ Flags packed_flags = {{.first = 5, .second = -1, .third = 0x1ff}};
