// LLVM's reader trusts its input: damaged bitcode can make it crash, give up, or ask for all memory
// there is, and that must be an error like any other.
//
// Bitcode asks for memory by a number alone, without being as large itself, where a record gives
// the number of types or of basic blocks. Those lists, and what is put into them, come from
// `operator new`, which is replaced here by one that counts. It counts for each thread by itself
// and only while the thread reads. A limit of the process (RLIMIT_AS) would meet other threads too,
// and every program that they start meanwhile would inherit it.

#include "safe_reading.h"

#include <algorithm>
#include <cstdlib>
#include <new>

#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/ErrorHandling.h"

#if defined(__has_feature)
#define WEFT_HAS_FEATURE(Name) __has_feature(Name)
#else
#define WEFT_HAS_FEATURE(Name) 0
#endif

using namespace llvm;

extern "C" {

// Of mimalloc, as its mimalloc.h declares them.
void *mi_malloc(size_t Size);
void *mi_malloc_aligned(size_t Size, size_t Alignment);
void mi_free(void *Memory);

} // extern "C"

namespace {

// Memory that this thread may still allocate; allocations count while the thread reads.
struct MemoryBudget {
  bool IsCounting = false;
  bool IsExceeded = false;
  size_t Left = 0;
};

thread_local MemoryBudget Budget;

// Counts an allocation, and aborts the read when its budget is spent.
void charge(size_t Size) {
  if (!Budget.IsCounting)
    return;
  if (Size <= Budget.Left) {
    Budget.Left -= Size;
    return;
  }
  Budget.IsCounting = false;
  Budget.IsExceeded = true;
  // Any exit code but 0 is right: nobody looks at it.
  CrashRecoveryContext::GetCurrent()->HandleExit(1);
}

// The code has no exceptions to throw. LLVM ends the process, or the read that this happens in.
void *orNoMemory(void *Memory) {
  if (!Memory)
    report_bad_alloc_error("Allocation failed");
  return Memory;
}

// LLVM makes and frees many small objects, which takes a quarter of the time of a summary with the
// allocator of the C library, and little with mimalloc. The sanitizer of memory knows its own only.
#if defined(__SANITIZE_ADDRESS__) || WEFT_HAS_FEATURE(address_sanitizer)
void *allocate(size_t Size) { return std::malloc(Size); }
void *allocateAligned(size_t Size, size_t Alignment) {
  // POSIX wants at least the alignment of a pointer.
  void *Memory = nullptr;
  const int Failure = posix_memalign(&Memory, std::max(Alignment, sizeof(void *)), Size);
  return Failure ? nullptr : Memory;
}
void release(void *Memory) { std::free(Memory); }
#else
void *allocate(size_t Size) { return mi_malloc(Size); }
void *allocateAligned(size_t Size, size_t Alignment) {
  return mi_malloc_aligned(Size, Alignment);
}
void release(void *Memory) { mi_free(Memory); }
#endif

} // namespace

// Every other form of the operators is defined by these. What C code and Rust allocate comes from
// the C library still, so nothing that they exchange with C++ may be freed by the other's means.
void *operator new(size_t Size) {
  charge(Size);
  return orNoMemory(allocate(std::max<size_t>(Size, 1)));
}

void *operator new(size_t Size, std::align_val_t Alignment) {
  charge(Size);
  return orNoMemory(
      allocateAligned(std::max<size_t>(Size, 1), static_cast<size_t>(Alignment)));
}

void operator delete(void *Memory) noexcept { release(Memory); }

void operator delete(void *Memory, size_t) noexcept { release(Memory); }

void operator delete(void *Memory, std::align_val_t) noexcept { release(Memory); }

void operator delete(void *Memory, size_t, std::align_val_t) noexcept { release(Memory); }

const char *weft::readSafely(size_t Bytes, function_ref<void()> Reads) {
  CrashRecoveryContext::Enable();
  CrashRecoveryContext Guard;
  Budget = {/*IsCounting=*/true, /*IsExceeded=*/false, Bytes};
  const bool Survived = Guard.RunSafely(Reads);
  Budget.IsCounting = false;
  if (Survived)
    return nullptr;
  return Budget.IsExceeded ? "LLVM's reader asked for more memory than it can need"
                           : "LLVM's reader crashed on it";
}
