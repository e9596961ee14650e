#pragma once

#ifndef SCALE_FACTOR
#error "the library's defines did not reach this unit"
#endif

__device__ int scaled(int value);
