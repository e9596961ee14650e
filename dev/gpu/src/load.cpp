// Prints the milliseconds that CUDA takes to load the images that the arguments name, with all of
// their kernels: the median over twenty loads of each, which take turns.

#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <vector>

namespace {

constexpr int kLoads = 20;

void check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  std::exit(1);
}

double milliseconds(const std::vector<char>& image, const char* name) {
  cudaLibrary_t library = nullptr;
  const auto start = std::chrono::steady_clock::now();
  check(cudaLibraryLoadData(&library, image.data(), nullptr, nullptr, 0, nullptr, nullptr, 0),
        name);
  unsigned count = 0;
  check(cudaLibraryGetKernelCount(&count, library), name);
  std::vector<cudaKernel_t> kernels(count);
  check(cudaLibraryEnumerateKernels(kernels.data(), count, library), name);
  // A kernel's attributes are known once its code is on the device.
  for (cudaKernel_t kernel : kernels) {
    cudaFuncAttributes attributes;
    check(cudaFuncGetAttributes(&attributes, reinterpret_cast<const void*>(kernel)), name);
  }
  check(cudaDeviceSynchronize(), name);
  const std::chrono::duration<double, std::milli> spent = std::chrono::steady_clock::now() - start;
  check(cudaLibraryUnload(library), name);
  return spent.count();
}

}  // namespace

int main(int count, char** names) {
  check(cudaFree(nullptr), "the first GPU");
  std::vector<std::vector<char>> images;
  for (int index = 1; index < count; ++index) {
    std::ifstream file(names[index], std::ios::binary);
    images.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  std::vector<std::vector<double>> times(images.size());
  for (int load = 0; load < kLoads; ++load) {
    for (std::size_t index = 0; index < images.size(); ++index) {
      times[index].push_back(milliseconds(images[index], names[index + 1]));
    }
  }
  for (std::vector<double>& spent : times) {
    std::nth_element(spent.begin(), spent.begin() + kLoads / 2, spent.end());
    std::printf("%.3f\n", spent[kLoads / 2]);
  }
}
