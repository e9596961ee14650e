// Launches kernels on a GPU, one thread at a time, and prints a digest of the memory in the same
// form as the driver for the processor. The generated `main` calls these functions. Without a GPU
// they exit with 77.
#include <cuda.h>
#include <dlfcn.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <vector>

using Words = std::vector<uint32_t>;

constexpr int NoGpu = 77;
// Stack of a thread. Recursion needs more than the default of one kilobyte.
constexpr size_t StackBytes = 64 * 1024;
// Size of the dynamic shared memory (`extern __shared__`).
constexpr unsigned SharedBytes = 8 * sizeof(uint32_t);

[[noreturn]] inline void give_up(int code, const char *what, const char *why) {
  fprintf(stderr, "%s: %s\n", what, why);
  exit(code);
}

// Returns a function of CUDA's driver, a library that only a machine with a GPU has.
template <typename Function> Function *driver(const char *name) {
  static void *library = dlopen("libcuda.so.1", RTLD_NOW);
  if (!library)
    give_up(NoGpu, "no CUDA device", dlerror());
  void *function = dlsym(library, name);
  if (!function)
    give_up(1, name, "the driver has no such function");
  return reinterpret_cast<Function *>(function);
}

inline void check(CUresult result, const char *function) {
  if (result == CUDA_SUCCESS)
    return;
  const char *why = "unknown";
  driver<decltype(cuGetErrorString)>("cuGetErrorString")(result, &why);
  const bool is_missing = result == CUDA_ERROR_NO_DEVICE && !strcmp(function, "cuInit");
  give_up(is_missing ? NoGpu : 1, is_missing ? "no CUDA device" : function, why);
}

// The header maps some names to later versions of the function.
#define NAME_OF(function) #function
#define CUDA(function, ...)                                                                        \
  check(driver<decltype(function)>(NAME_OF(function))(__VA_ARGS__), #function)

class Gpu {
public:
  // Loads a linked image, or the PTX of all units, which the driver links.
  Gpu(size_t words, int files, char **names) : Count(words) {
    CUdevice device;
    CUcontext context;
    CUDA(cuInit, 0);
    CUDA(cuDeviceGet, &device, 0);
    CUDA(cuDevicePrimaryCtxRetain, &context, device);
    CUDA(cuCtxSetCurrent, context);
    CUDA(cuCtxSetLimit, CU_LIMIT_STACK_SIZE, StackBytes);
    CUlinkState link;
    CUDA(cuLinkCreate, 0, nullptr, nullptr, &link);
    for (int file = 0; file < files; ++file) {
      const bool is_ptx = strstr(names[file], ".ptx");
      CUDA(cuLinkAddFile, link, is_ptx ? CU_JIT_INPUT_PTX : CU_JIT_INPUT_CUBIN, names[file], 0,
           nullptr, nullptr);
    }
    void *image;
    size_t bytes;
    CUDA(cuLinkComplete, link, &image, &bytes);
    CUDA(cuModuleLoadData, &Module, image);
    CUDA(cuMemAlloc, &Memory, words * sizeof(uint32_t));
    write(Memory, Words(words));
  }

  CUdeviceptr memory() const { return Memory; }

  void write(const char *variable, const Words &words) { write(address(variable), words); }

  // Launches one thread after the other. Kernels read their number from the variable `weft_thread`.
  void launch(const char *kernel, uint32_t threads, std::initializer_list<const void *> arguments) {
    CUfunction function;
    CUDA(cuModuleGetFunction, &function, Module, kernel);
    std::vector<void *> pointers;
    for (const void *argument : arguments)
      pointers.push_back(const_cast<void *>(argument));
    for (uint32_t thread = 0; thread < threads; ++thread) {
      write("weft_thread", {thread});
      CUDA(cuLaunchKernel, function, 1, 1, 1, 1, 1, 1, SharedBytes, nullptr, pointers.data(),
           nullptr);
      CUDA(cuCtxSynchronize);
    }
    show(kernel, Memory, Count);
  }

  void show(const char *variable, size_t count) { show(variable, address(variable), count); }

private:
  CUdeviceptr address(const char *variable) {
    CUdeviceptr place;
    size_t bytes;
    CUDA(cuModuleGetGlobal, &place, &bytes, Module, variable);
    return place;
  }

  void write(CUdeviceptr place, const Words &words) {
    CUDA(cuMemcpyHtoD, place, words.data(), words.size() * sizeof(uint32_t));
  }

  void show(const char *name, CUdeviceptr place, size_t count) {
    Words words(count);
    CUDA(cuMemcpyDtoH, words.data(), place, count * sizeof(uint32_t));
    uint64_t digest = 0xcbf29ce484222325;
    for (uint32_t word : words)
      digest = (digest ^ word) * 0x100000001b3;
    printf("%s %016llx\n", name, static_cast<unsigned long long>(digest));
  }

  size_t Count;
  CUmodule Module;
  CUdeviceptr Memory;
};
