// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include <cuda_runtime_api.h>

#include "transport/cuda_check.h"

namespace transport {

// Owns zeroed device memory for `size` objects.
template <class T>
class DeviceBuffer {
 public:
  explicit DeviceBuffer(std::size_t size) : size_(size) {
    void* memory = nullptr;
    TRANSPORT_CHECK(cudaMalloc(&memory, size * sizeof(T)));
    data_ = static_cast<T*>(memory);
    TRANSPORT_CHECK(cudaMemset(data_, 0, size * sizeof(T)));
  }
  ~DeviceBuffer() { cudaFree(data_); }
  DeviceBuffer(const DeviceBuffer&) = delete;
  DeviceBuffer& operator=(const DeviceBuffer&) = delete;

  T* data() const { return data_; }

  void upload(const T* from) {
    TRANSPORT_CHECK(cudaMemcpy(data_, from, size_ * sizeof(T), cudaMemcpyHostToDevice));
  }
  void download(T* to) const {
    TRANSPORT_CHECK(cudaMemcpy(to, data_, size_ * sizeof(T), cudaMemcpyDeviceToHost));
  }

 private:
  T* data_ = nullptr;
  std::size_t size_;
};

}  // namespace transport
