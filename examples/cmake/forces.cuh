#pragma once

__device__ float force(const float* places, int place, int count);
