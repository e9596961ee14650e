#pragma once

// Declarations that the units share.

__device__ int scaled(int value);
__device__ int mixed(int value);

// header-edit: units that use it are compiled to other code when it changes.
constexpr int kStride = 2;
