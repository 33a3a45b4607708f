/*
 * A disk for tests, loaded in front of the C library (LD_PRELOAD). SIMULATED_DISK names a directory: whatever is
 * written to files directly in it reaches the copies in SIMULATED_DISK_IMAGE only when it is synced, so these copies
 * are what a cut of power would leave. While the image has a file "full" every write below the directory fails with
 * ENOSPC; while it has one named "failing", every sync fails with EIO.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_FILES 64
#define MOST_DESCRIPTORS 65536
#define CHUNK 65536

struct range {
  off_t begin;
  off_t end;
};

struct file {
  char name[NAME_MAX + 1];
  struct range *unsynced;
  size_t count;
  size_t room;
};

enum { ELSEWHERE, BELOW, FIRST_FILE };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct file files[MOST_FILES];
static size_t file_count;
/* ELSEWHERE, BELOW the directory but without an image, or FIRST_FILE and the place in `files`. */
static int kind_of[MOST_DESCRIPTORS];

#define REAL(name) ((__typeof__(&name))real(#name))

static void *real(const char *name) {
  void *found = dlsym(RTLD_NEXT, name);
  if (!found) abort();
  return found;
}

static int has_fault(const char *name) {
  const char *image = getenv("SIMULATED_DISK_IMAGE");
  char path[PATH_MAX];
  if (!image) return 0;
  snprintf(path, sizeof path, "%s/%s", image, name);
  int before = errno;
  int found = access(path, F_OK) == 0;
  errno = before;
  return found;
}

static const char *name_below(const char *path) {
  const char *directory = getenv("SIMULATED_DISK");
  size_t length = directory ? strlen(directory) : 0;
  if (length == 0 || strncmp(path, directory, length) != 0 || path[length] != '/') return NULL;
  return path + length + 1;
}

/* The shared-memory index of SQLite is made anew after a crash; files in further directories are not followed. */
static int has_image(const char *name) {
  size_t length = strlen(name);
  if (strchr(name, '/') || length > NAME_MAX) return 0;
  return length < 4 || strcmp(name + length - 4, "-shm") != 0;
}

static int file_named(const char *name) {
  for (size_t i = 0; i < file_count; i++)
    if (strcmp(files[i].name, name) == 0) return FIRST_FILE + (int)i;
  if (file_count == MOST_FILES) abort();
  strcpy(files[file_count].name, name);
  return FIRST_FILE + (int)file_count++;
}

static int opened(int fd, const char *path) {
  const char *name = fd >= 0 && fd < MOST_DESCRIPTORS ? name_below(path) : NULL;
  if (!name) return fd;
  pthread_mutex_lock(&lock);
  kind_of[fd] = has_image(name) ? file_named(name) : BELOW;
  pthread_mutex_unlock(&lock);
  return fd;
}

static struct file *file_of(int fd) {
  if (fd < 0 || fd >= MOST_DESCRIPTORS || kind_of[fd] < FIRST_FILE) return NULL;
  return &files[kind_of[fd] - FIRST_FILE];
}

static int is_below(int fd) {
  return fd >= 0 && fd < MOST_DESCRIPTORS && kind_of[fd] != ELSEWHERE;
}

static void note(struct file *file, off_t begin, off_t end) {
  if (file->count == file->room) {
    file->room = file->room ? 2 * file->room : 64;
    file->unsynced = realloc(file->unsynced, file->room * sizeof *file->unsynced);
    if (!file->unsynced) abort();
  }
  file->unsynced[file->count++] = (struct range){begin, end};
}

static void copy(int from, int to, struct range range) {
  char bytes[CHUNK];
  while (range.begin < range.end) {
    size_t wanted = range.end - range.begin < CHUNK ? (size_t)(range.end - range.begin) : CHUNK;
    ssize_t got = pread(from, bytes, wanted, range.begin);
    if (got <= 0) return;
    if (REAL(pwrite)(to, bytes, (size_t)got, range.begin) != got) abort();
    range.begin += got;
  }
}

/* Called after the real sync: from here on the file survives. */
static void keep(int fd, struct file *file) {
  char path[PATH_MAX];
  char own[64];
  struct stat now;
  snprintf(path, sizeof path, "%s/%s", getenv("SIMULATED_DISK_IMAGE"), file->name);
  snprintf(own, sizeof own, "/proc/self/fd/%d", fd);
  int image = REAL(open)(path, O_RDWR | O_CREAT, 0600);
  /* The descriptor may be for writing only. */
  int source = REAL(open)(own, O_RDONLY);
  if (image < 0 || source < 0 || fstat(fd, &now) != 0) abort();
  for (size_t i = 0; i < file->count; i++) copy(source, image, file->unsynced[i]);
  if (REAL(ftruncate)(image, now.st_size) != 0) abort();
  file->count = 0;
  REAL(close)(source);
  REAL(close)(image);
}

static int synced(int fd, int (*sync)(int)) {
  if (!is_below(fd)) return sync(fd);
  if (has_fault("failing")) {
    errno = EIO;
    return -1;
  }
  pthread_mutex_lock(&lock);
  int outcome = sync(fd);
  struct file *file = file_of(fd);
  if (outcome == 0 && file) keep(fd, file);
  pthread_mutex_unlock(&lock);
  return outcome;
}

static ssize_t written(int fd, const void *bytes, size_t count, off_t at) {
  if (has_fault("full")) {
    errno = ENOSPC;
    return -1;
  }
  pthread_mutex_lock(&lock);
  off_t begin = at >= 0 ? at : lseek(fd, 0, SEEK_CUR);
  ssize_t done = at >= 0 ? REAL(pwrite)(fd, bytes, count, at) : REAL(write)(fd, bytes, count);
  struct file *file = file_of(fd);
  if (done > 0 && file) note(file, begin, begin + done);
  pthread_mutex_unlock(&lock);
  return done;
}

static int truncated(int fd, off_t size) {
  struct file *file = file_of(fd);
  struct stat before;
  if (!file || fstat(fd, &before) != 0) return REAL(ftruncate)(fd, size);
  pthread_mutex_lock(&lock);
  int outcome = REAL(ftruncate)(fd, size);
  /* What is written there later may leave holes, and the image must not show old bytes in them. */
  if (outcome == 0 && size < before.st_size) note(file, size, before.st_size);
  pthread_mutex_unlock(&lock);
  return outcome;
}

static mode_t mode_in(int flags, va_list more) {
  return flags & O_CREAT ? (mode_t)va_arg(more, int) : 0;
}

#define OPEN(name)                                            \
  int name(const char *path, int flags, ...) {                \
    va_list more;                                             \
    va_start(more, flags);                                    \
    mode_t mode = mode_in(flags, more);                       \
    va_end(more);                                             \
    return opened(REAL(open)(path, flags, mode), path);       \
  }

OPEN(open)
OPEN(open64)

int close(int fd) {
  if (fd >= 0 && fd < MOST_DESCRIPTORS) kind_of[fd] = ELSEWHERE;
  return REAL(close)(fd);
}

ssize_t write(int fd, const void *bytes, size_t count) {
  return is_below(fd) ? written(fd, bytes, count, -1) : REAL(write)(fd, bytes, count);
}

ssize_t pwrite(int fd, const void *bytes, size_t count, off_t at) {
  return is_below(fd) ? written(fd, bytes, count, at) : REAL(pwrite)(fd, bytes, count, at);
}

ssize_t pwrite64(int fd, const void *bytes, size_t count, off_t at) {
  return pwrite(fd, bytes, count, at);
}

int ftruncate(int fd, off_t size) {
  return truncated(fd, size);
}

int ftruncate64(int fd, off_t size) {
  return truncated(fd, size);
}

int fsync(int fd) {
  return synced(fd, REAL(fsync));
}

int fdatasync(int fd) {
  return synced(fd, REAL(fdatasync));
}

int unlink(const char *path) {
  const char *name = name_below(path);
  if (name && has_image(name) && getenv("SIMULATED_DISK_IMAGE")) {
    char image[PATH_MAX];
    snprintf(image, sizeof image, "%s/%s", getenv("SIMULATED_DISK_IMAGE"), name);
    pthread_mutex_lock(&lock);
    files[file_named(name) - FIRST_FILE].count = 0;
    REAL(unlink)(image);
    pthread_mutex_unlock(&lock);
  }
  return REAL(unlink)(path);
}
