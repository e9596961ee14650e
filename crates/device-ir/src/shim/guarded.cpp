// LLVM trusts its input: damaged bitcode can make its reader crash, give up, or ask for all memory
// there is, and that must be an error like any other. Input that passes LLVM's verifier can still
// stop its optimizer and its code generator, for example by a name that assembly cannot express.
//
// Small bitcode can request much memory by a single number: where a record gives the number of
// types or of basic blocks, or the position of a parameter. These lists and their contents come
// from `operator new` or, for vectors of numbers, from `malloc`, which are replaced here by
// versions that count, per thread and only while the thread reads. A limit of the process
// (RLIMIT_AS) would affect other threads too, and every program that they start meanwhile would
// inherit it.

#include "border.h"
#include "guarded.h"

#include <algorithm>
#include <cstdlib>
#include <new>
#include <optional>
#include <string>

#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"

#if defined(__has_feature)
#define WEFT_HAS_FEATURE(Name) __has_feature(Name)
#else
#define WEFT_HAS_FEATURE(Name) 0
#endif

using namespace llvm;

extern "C" {

// Functions of mimalloc, as its mimalloc.h declares them.
void *mi_malloc(size_t Size);
void *mi_malloc_aligned(size_t Size, size_t Alignment);
void mi_free(void *Memory);

// Functions of the C library, whose versions without the prefix are replaced here.
void *__libc_malloc(size_t Size);
void *__libc_calloc(size_t Count, size_t Size);
void *__libc_realloc(void *Memory, size_t Size);

} // extern "C"

namespace {

// Exit code for a defect.
constexpr int Defect = 70;

// Memory that this thread may still allocate; allocations count while the thread works under guard.
struct MemoryBudget {
  bool IsCounting = false;
  bool IsExceeded = false;
  size_t Left = 0;
};

thread_local MemoryBudget Budget;

// Reason that LLVM gave in this thread before it gave up.
thread_local std::optional<std::string> LastWords;

// Counts an allocation, and aborts the work when its budget is spent.
void charge(size_t Size) {
  if (!Budget.IsCounting)
    return;
  if (Size <= Budget.Left) {
    Budget.Left -= Size;
    return;
  }
  Budget.IsCounting = false;
  Budget.IsExceeded = true;
  // Nobody looks at the exit code.
  CrashRecoveryContext::GetCurrent()->HandleExit(Defect);
}

// The code has no exceptions to throw. LLVM ends the process, or the guarded work.
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
#define WEFT_COUNTS_MALLOC
void *allocate(size_t Size) { return mi_malloc(Size); }
void *allocateAligned(size_t Size, size_t Alignment) {
  return mi_malloc_aligned(Size, Alignment);
}
void release(void *Memory) { mi_free(Memory); }
#endif

} // namespace

#ifdef WEFT_COUNTS_MALLOC
extern "C" {

void *malloc(size_t Size) noexcept {
  charge(Size);
  return __libc_malloc(Size);
}

void *calloc(size_t Count, size_t Size) noexcept {
  size_t Bytes = 0;
  charge(__builtin_mul_overflow(Count, Size, &Bytes) ? weft::NoLimit : Bytes);
  return __libc_calloc(Count, Size);
}

void *realloc(void *Memory, size_t Size) noexcept {
  charge(Size);
  return __libc_realloc(Memory, Size);
}

} // extern "C"
#endif

// Every other form of the operators is defined by these. C code and Rust still allocate from the C
// library, so neither they nor C++ may free memory that the other side allocated.
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

std::optional<std::string> weft::runGuarded(size_t Bytes, function_ref<void()> Work) {
  CrashRecoveryContext::Enable();
  CrashRecoveryContext Guard;
  LastWords.reset();
  Budget = {/*IsCounting=*/Bytes != NoLimit, /*IsExceeded=*/false, Bytes};
  const bool Survived = Guard.RunSafely(Work);
  Budget.IsCounting = false;
  if (Survived)
    return std::nullopt;
  if (Budget.IsExceeded)
    return "LLVM's reader asked for more memory than it can need";
  return LastWords ? "LLVM gave up on it: " + *LastWords : "LLVM crashed on it";
}

char *weft::guarded(size_t Bytes, bool &HasCrashed, function_ref<Error()> Work) {
  std::optional<std::string> Reason;
  const std::optional<std::string> Crash = runGuarded(Bytes, [&] {
    if (Error Failure = Work())
      Reason = toString(std::move(Failure));
  });
  HasCrashed = Crash.has_value();
  if (HasCrashed)
    Reason = Crash;
  return Reason ? copyOf(*Reason) : nullptr;
}

void weft::giveUp(void *, const char *Reason, bool) {
  if (CrashRecoveryContext *Guard = CrashRecoveryContext::GetCurrent()) {
    // The reason itself must not be what spends the budget.
    Budget.IsCounting = false;
    LastWords = Reason;
    Guard->HandleExit(Defect);
  }
  errs() << "error: LLVM gave up: " << Reason << "\n";
  std::_Exit(Defect);
}
