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

using namespace llvm;

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

} // namespace

// Every other form of `operator new` is defined by these two, and `operator delete` by `free`.
void *operator new(size_t Size) {
  charge(Size);
  return orNoMemory(std::malloc(std::max<size_t>(Size, 1)));
}

void *operator new(size_t Size, std::align_val_t Alignment) {
  charge(Size);
  // POSIX wants at least the alignment of a pointer.
  const size_t Least = std::max(static_cast<size_t>(Alignment), sizeof(void *));
  void *Memory = nullptr;
  if (posix_memalign(&Memory, Least, std::max<size_t>(Size, 1)) != 0)
    Memory = nullptr;
  return orNoMemory(Memory);
}

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
