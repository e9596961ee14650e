// Functions of newer glibc, made of functions of 2.28. The linker calls `__wrap_NAME` where the
// program calls `NAME`.

#define _GNU_SOURCE
#include <malloc.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define HIDDEN __attribute__((visibility("hidden")))

// The C++ library asks whether it can do without atomic operations. It is always right to say no.
HIDDEN char __wrap___libc_single_threaded = 0;

// Before 2.33 a program named the version of `struct stat` that it was compiled for: 1 on x86-64,
// where `stat64` is the same structure.
enum { STAT_VERSION = 1 };
int older_stat(int version, const char *path, struct stat *status);
int older_fstat(int version, int file, struct stat *status);
int older_lstat(int version, const char *path, struct stat *status);
int older_fstatat(int version, int folder, const char *path, struct stat *status, int flags);
__asm__(".symver older_stat, __xstat@GLIBC_2.2.5");
__asm__(".symver older_fstat, __fxstat@GLIBC_2.2.5");
__asm__(".symver older_lstat, __lxstat@GLIBC_2.2.5");
__asm__(".symver older_fstatat, __fxstatat@GLIBC_2.4");

HIDDEN int __wrap_stat(const char *path, struct stat *status) {
  return older_stat(STAT_VERSION, path, status);
}
HIDDEN int __wrap_fstat(int file, struct stat *status) {
  return older_fstat(STAT_VERSION, file, status);
}
HIDDEN int __wrap_lstat(const char *path, struct stat *status) {
  return older_lstat(STAT_VERSION, path, status);
}
HIDDEN int __wrap_fstatat(int folder, const char *path, struct stat *status, int flags) {
  return older_fstatat(STAT_VERSION, folder, path, status, flags);
}
HIDDEN int __wrap_stat64(const char *path, struct stat *status) {
  return older_stat(STAT_VERSION, path, status);
}
HIDDEN int __wrap_fstat64(int file, struct stat *status) {
  return older_fstat(STAT_VERSION, file, status);
}
HIDDEN int __wrap_lstat64(const char *path, struct stat *status) {
  return older_lstat(STAT_VERSION, path, status);
}
HIDDEN int __wrap_fstatat64(int folder, const char *path, struct stat *status, int flags) {
  return older_fstatat(STAT_VERSION, folder, path, status, flags);
}

HIDDEN pid_t __wrap_gettid(void) { return (pid_t)syscall(SYS_gettid); }

HIDDEN uint32_t __wrap_arc4random(void) {
  uint32_t number;
  // The call takes so few bytes whole, and fails only where the kernel is older than 3.17.
  if (getrandom(&number, sizeof number, 0) != (ssize_t)sizeof number) abort();
  return number;
}

// `mallinfo` counts in `int`: beyond 4 GiB its numbers are too small.
struct mallinfo older_mallinfo(void);
__asm__(".symver older_mallinfo, mallinfo@GLIBC_2.2.5");
HIDDEN struct mallinfo2 __wrap_mallinfo2(void) {
  const struct mallinfo older = older_mallinfo();
  return (struct mallinfo2){
      .arena = (unsigned)older.arena,
      .ordblks = (unsigned)older.ordblks,
      .smblks = (unsigned)older.smblks,
      .hblks = (unsigned)older.hblks,
      .hblkhd = (unsigned)older.hblkhd,
      .usmblks = (unsigned)older.usmblks,
      .fsmblks = (unsigned)older.fsmblks,
      .uordblks = (unsigned)older.uordblks,
      .fordblks = (unsigned)older.fordblks,
      .keepcost = (unsigned)older.keepcost,
  };
}

// Since 2.34 the C library runs the program's constructors. Before, each program brought a function
// that did, and named it to the C library. A function that is named is called by every version.
typedef int Main(int, char **, char **);
typedef void Constructor(int, char **, char **);
int older_start(Main *main, int argc, char **argv, Constructor *init, void (*fini)(void),
                void (*loader_fini)(void), void *stack_end);
__asm__(".symver older_start, __libc_start_main@GLIBC_2.2.5");

extern Constructor *__preinit_array_start[] HIDDEN;
extern Constructor *__preinit_array_end[] HIDDEN;
extern Constructor *__init_array_start[] HIDDEN;
extern Constructor *__init_array_end[] HIDDEN;
extern void _init(void) HIDDEN;

static void run_constructors(int argc, char **argv, char **environment) {
  const size_t early = (size_t)(__preinit_array_end - __preinit_array_start);
  for (size_t index = 0; index < early; index++)
    __preinit_array_start[index](argc, argv, environment);
  _init();
  const size_t count = (size_t)(__init_array_end - __init_array_start);
  for (size_t index = 0; index < count; index++)
    __init_array_start[index](argc, argv, environment);
}

HIDDEN int __wrap___libc_start_main(Main *main, int argc, char **argv, Constructor *init,
                                    void (*fini)(void), void (*loader_fini)(void),
                                    void *stack_end) {
  // Start code of glibc before 2.34 names a function itself.
  Constructor *constructors = init ? init : run_constructors;
  return older_start(main, argc, argv, constructors, fini, loader_fini, stack_end);
}
