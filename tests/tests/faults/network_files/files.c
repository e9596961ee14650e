/* File operations as a network file system shows them, for the process that loads this library.
 *
 * Only what lies below the folder that WEFT_TEST_FOLDER names is touched, and relative paths. Calls
 * of the C library are changed; a program that calls the system itself is not seen.
 *
 *  - Operations take up to some milliseconds.
 *  - A file that another process has just written is not there yet, as for a client that remembers
 *    a folder's old content.
 *  - Some operations fail with ESTALE or EIO, and a rename may fail that the server has done.
 *  - A lock is given to several processes, or to none.
 *  - With WEFT_TEST_LOST, content that could not be sent to the server is gone, and only `close`
 *    says so.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define FILES 4096
#define HIDDEN_MILLISECONDS 300

/* A file is `WRITTEN` while it has content that was not sent. */
enum { OUTSIDE, INSIDE, WRITTEN };

static const char *folder;
static unsigned rate, lost;
static _Atomic unsigned long state;
static char kinds[FILES];
static ino_t own[FILES];
static _Atomic unsigned own_count;

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static unsigned number(const char *name) {
  const char *value = getenv(name);
  return value ? (unsigned)strtoul(value, NULL, 10) : 0;
}

__attribute__((constructor)) static void start(void) {
  folder = getenv("WEFT_TEST_FOLDER");
  folder = folder ? strdup(folder) : NULL;
  rate = number("WEFT_TEST_RATE");
  lost = number("WEFT_TEST_LOST");
  state = number("WEFT_TEST_SEED");
}

/* Returns true once in `bound` times. */
static int one_in(unsigned bound) {
  unsigned long mixed = (state += 0x9E3779B97F4A7C15ul);
  mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9ul;
  mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBul;
  return bound && (mixed >> 33) % bound == 0;
}

static int is_inside(const char *path) {
  return folder && (path[0] != '/' || !strncmp(path, folder, strlen(folder)));
}

static void wait_a_little(void) {
  if (one_in(4)) usleep(one_in(8) ? 8000 : 500);
}

static int fails(void) {
  if (!one_in(rate)) return 0;
  errno = one_in(2) ? ESTALE : EIO;
  return 1;
}

static int is_hidden(int place, const char *path) {
  struct stat data;
  struct timespec now;
  if (!rate || fstatat(place, path, &data, 0) || !S_ISREG(data.st_mode)) return 0;
  for (unsigned i = 0; i < own_count && i < FILES; i++)
    if (own[i] == data.st_ino) return 0;
  clock_gettime(CLOCK_REALTIME, &now);
  long age = (now.tv_sec - data.st_ctim.tv_sec) * 1000 +
             (now.tv_nsec - data.st_ctim.tv_nsec) / 1000000;
  return age < HIDDEN_MILLISECONDS && one_in(3);
}

static int opened(int file, int flags) {
  struct stat data;
  if (file < 0 || file >= FILES) return file;
  kinds[file] = INSIDE;
  if ((flags & O_ACCMODE) != O_RDONLY && !fstat(file, &data))
    own[own_count++ % FILES] = data.st_ino;
  return file;
}

static int open_slowly(int place, const char *path, int flags, mode_t mode) {
  int (*next)(int, const char *, int, ...) = NEXT(openat);
  if (!is_inside(path)) return next(place, path, flags, mode);
  wait_a_little();
  if (fails()) return -1;
  if ((flags & O_ACCMODE) == O_RDONLY && is_hidden(place, path)) {
    errno = ENOENT;
    return -1;
  }
  return opened(next(place, path, flags, mode), flags);
}

#define MODE_OF(flags)                      \
  va_list list;                             \
  va_start(list, flags);                    \
  mode_t mode = va_arg(list, mode_t);       \
  va_end(list)

int open(const char *path, int flags, ...) {
  MODE_OF(flags);
  return open_slowly(AT_FDCWD, path, flags, mode);
}

int open64(const char *path, int flags, ...) {
  MODE_OF(flags);
  return open_slowly(AT_FDCWD, path, flags, mode);
}

int openat(int place, const char *path, int flags, ...) {
  MODE_OF(flags);
  return open_slowly(place, path, flags, mode);
}

int openat64(int place, const char *path, int flags, ...) {
  MODE_OF(flags);
  return open_slowly(place, path, flags, mode);
}

int rename(const char *from, const char *to) {
  int (*next)(const char *, const char *) = NEXT(rename);
  if (!is_inside(to)) return next(from, to);
  wait_a_little();
  if (!fails()) return next(from, to);
  /* The server may have done it, and only its answer was lost. */
  if (one_in(2)) {
    next(from, to);
    errno = ENOENT;
  }
  return -1;
}

int unlink(const char *path) {
  if (is_inside(path)) wait_a_little();
  return NEXT(unlink)(path);
}

int mkdir(const char *path, mode_t mode) {
  if (is_inside(path)) {
    wait_a_little();
    if (fails()) return -1;
  }
  return NEXT(mkdir)(path, mode);
}

static int kind(int file) { return file >= 0 && file < FILES ? kinds[file] : OUTSIDE; }

ssize_t read(int file, void *bytes, size_t count) {
  if (kind(file) != OUTSIDE && fails()) return -1;
  return NEXT(read)(file, bytes, count);
}

ssize_t write(int file, const void *bytes, size_t count) {
  if (kind(file) != OUTSIDE) {
    if (fails()) return -1;
    if (count > 1 && one_in(4)) count /= 2;
    kinds[file] = WRITTEN;
  }
  return NEXT(write)(file, bytes, count);
}

int flock(int file, int operation) {
  if (kind(file) != OUTSIDE && rate && !(operation & LOCK_UN)) {
    if (one_in(rate)) {
      errno = ENOLCK;
      return -1;
    }
    if (one_in(2)) return 0;
  }
  return NEXT(flock)(file, operation);
}

/* Once content was sent, whether it arrived or not, no later call speaks of it. */
static void sent(ino_t node) {
  struct stat data;
  for (int file = 0; file < FILES; file++)
    if (kinds[file] == WRITTEN && !fstat(file, &data) && data.st_ino == node) kinds[file] = INSIDE;
}

int close(int file) {
  struct stat data;
  int is_lost = 0;
  if (kind(file) == WRITTEN && !fstat(file, &data)) {
    is_lost = data.st_size && one_in(lost);
    if (is_lost && ftruncate(file, data.st_size / 2)) return -1;
    sent(data.st_ino);
  }
  if (kind(file) != OUTSIDE) kinds[file] = OUTSIDE;
  int result = NEXT(close)(file);
  if (!is_lost) return result;
  errno = EDQUOT;
  return -1;
}

/* A copy of a descriptor, by which content is sent to the server, too. */
int fcntl(int file, int command, ...) {
  va_list list;
  va_start(list, command);
  void *argument = va_arg(list, void *);
  va_end(list);
  int result = NEXT(fcntl)(file, command, argument);
  if ((command == F_DUPFD_CLOEXEC || command == F_DUPFD) && result >= 0 && result < FILES)
    kinds[result] = (char)kind(file);
  return result;
}
