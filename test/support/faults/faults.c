/*
 * Preloaded into the command under test (LD_PRELOAD): counts what changes files below one folder, and makes the n-th such
 * call fail or kills the process there. Counts over all threads of the process; a child without the variables counts nothing.
 *
 *   FAULTS_FOLDER  absolute path; only calls that touch something below it count
 *   FAULTS_LOG     file outside of that folder: one line "<n> <call> <path>" a call, or for the one that was made to fail
 *   FAULTS_AT      which call, from 1; without it all are counted and none fails
 *   FAULTS_DO      the number of an errno, or "kill"
 *   FAULTS_DELETIONS  set where deleting a file or folder counts as well
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static const char *folder;
static size_t folder_length;
static long at;
static int with_errno;
static int deletions;
static int log_fd = -1;
static atomic_long calls;

__attribute__((constructor)) static void start(void) {
  const char *log = getenv("FAULTS_LOG");
  const char *what = getenv("FAULTS_DO");
  const char *n = getenv("FAULTS_AT");
  folder = getenv("FAULTS_FOLDER");
  if (folder == NULL || log == NULL) {
    folder = NULL;
    return;
  }
  folder_length = strlen(folder);
  at = n == NULL ? 0 : atol(n);
  deletions = getenv("FAULTS_DELETIONS") != NULL;
  with_errno = what == NULL || strcmp(what, "kill") == 0 ? 0 : atoi(what);
  log_fd = (int)syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
}

/* 0: let the call through. Otherwise the call fails with errno set. */
static int fails(const char *call, const char *path) {
  if (folder == NULL || path == NULL || strncmp(path, folder, folder_length) != 0) return 0;
  long n = atomic_fetch_add(&calls, 1) + 1;
  if (at == 0 || n == at) {
    char line[4400];
    int length = snprintf(line, sizeof line, "%ld %s %s\n", n, call, path);
    if (length > 0 && log_fd >= 0) syscall(SYS_write, log_fd, line, (size_t)length);
  }
  if (at == 0 || n != at) return 0;
  if (with_errno == 0) kill(getpid(), SIGKILL);
  errno = with_errno;
  return 1;
}

static int fd_fails(const char *call, int fd) {
  char link[64], path[4096];
  if (folder == NULL || fd <= 2) return 0;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  int kept = errno;
  ssize_t length = readlink(link, path, sizeof path - 1);
  errno = kept;
  if (length <= 0) return 0;
  path[length] = '\0';
  return fails(call, path);
}

#define REAL(type, name, ...) \
  static type (*real)(__VA_ARGS__); \
  if (real == NULL) real = (type(*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)

#define FD_CALL(type, name, parameters, arguments, ...) \
  type name parameters { \
    REAL(type, #name, __VA_ARGS__); \
    return fd_fails(#name, fd) ? -1 : real arguments; \
  }

FD_CALL(ssize_t, write, (int fd, const void *bytes, size_t n), (fd, bytes, n), int, const void *, size_t)
FD_CALL(ssize_t, pwrite, (int fd, const void *bytes, size_t n, off_t o), (fd, bytes, n, o), int, const void *, size_t, off_t)
FD_CALL(ssize_t, pwrite64, (int fd, const void *bytes, size_t n, off64_t o), (fd, bytes, n, o), int, const void *, size_t, off64_t)
FD_CALL(ssize_t, writev, (int fd, const struct iovec *v, int n), (fd, v, n), int, const struct iovec *, int)
FD_CALL(ssize_t, pwritev, (int fd, const struct iovec *v, int n, off_t o), (fd, v, n, o), int, const struct iovec *, int, off_t)
FD_CALL(ssize_t, pwritev64, (int fd, const struct iovec *v, int n, off64_t o), (fd, v, n, o), int, const struct iovec *, int, off64_t)
FD_CALL(int, fsync, (int fd), (fd), int)
FD_CALL(int, fdatasync, (int fd), (fd), int)
FD_CALL(int, ftruncate, (int fd, off_t length), (fd, length), int, off_t)
FD_CALL(int, ftruncate64, (int fd, off64_t length), (fd, length), int, off64_t)

FD_CALL(ssize_t, sendfile, (int fd, int from, off_t *o, size_t n), (fd, from, o, n), int, int, off_t *, size_t)
FD_CALL(ssize_t, sendfile64, (int fd, int from, off64_t *o, size_t n), (fd, from, o, n), int, int, off64_t *, size_t)

ssize_t copy_file_range(int from, off64_t *a, int fd, off64_t *b, size_t n, unsigned flags) {
  REAL(ssize_t, "copy_file_range", int, off64_t *, int, off64_t *, size_t, unsigned);
  return fd_fails("copy_file_range", fd) ? -1 : real(from, a, fd, b, n, flags);
}

#define PATH_CALL(name, parameters, arguments, ...) \
  int name parameters { \
    REAL(int, #name, __VA_ARGS__); \
    return fails(#name, to) ? -1 : real arguments; \
  }

PATH_CALL(rename, (const char *from, const char *to), (from, to), const char *, const char *)
PATH_CALL(renameat, (int a, const char *from, int b, const char *to), (a, from, b, to), int, const char *, int, const char *)
PATH_CALL(renameat2, (int a, const char *from, int b, const char *to, unsigned f), (a, from, b, to, f), int, const char *, int, const char *, unsigned)
PATH_CALL(link, (const char *from, const char *to), (from, to), const char *, const char *)
PATH_CALL(linkat, (int a, const char *from, int b, const char *to, int f), (a, from, b, to, f), int, const char *, int, const char *, int)
PATH_CALL(mkdir, (const char *to, mode_t mode), (to, mode), const char *, mode_t)

#define DELETE_CALL(name) \
  int name(const char *path) { \
    REAL(int, #name, const char *); \
    return deletions && fails(#name, path) ? -1 : real(path); \
  }

DELETE_CALL(unlink)
DELETE_CALL(rmdir)

static int writes(int flags) { return (flags & O_ACCMODE) != O_RDONLY || (flags & O_CREAT) != 0; }

#define OPEN_CALL(name) \
  int name(const char *path, int flags, ...) { \
    va_list rest; \
    va_start(rest, flags); \
    mode_t mode = (flags & (O_CREAT | __O_TMPFILE)) != 0 ? va_arg(rest, mode_t) : 0; \
    va_end(rest); \
    REAL(int, #name, const char *, int, mode_t); \
    return writes(flags) && fails(#name, path) ? -1 : real(path, flags, mode); \
  }

OPEN_CALL(open)
OPEN_CALL(open64)

#define OPENAT_CALL(name) \
  int name(int at_fd, const char *path, int flags, ...) { \
    va_list rest; \
    va_start(rest, flags); \
    mode_t mode = (flags & (O_CREAT | __O_TMPFILE)) != 0 ? va_arg(rest, mode_t) : 0; \
    va_end(rest); \
    REAL(int, #name, int, const char *, int, mode_t); \
    return writes(flags) && fails(#name, path) ? -1 : real(at_fd, path, flags, mode); \
  }

OPENAT_CALL(openat)
OPENAT_CALL(openat64)
