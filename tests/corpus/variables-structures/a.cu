#include "record.h"
__device__ Record records[3] = {{'a', 1.5, {1, 2, 3}, {5, 100}, {"first"}},
                                {'b', -2.5, {4}, {7}, {"second"}},
                                {'c'}};
__constant__ Record constant_record = {'d', 4.5, {6, 7}, {1, 2}, {"constant"}};
void read(void *p) { cudaMemcpyFromSymbol(p, records, sizeof records); }
