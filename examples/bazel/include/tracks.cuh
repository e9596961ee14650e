#pragma once

__device__ float length_of(int track);
