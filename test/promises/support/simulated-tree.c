/*
 * A disk for tests of PostgreSQL, loaded in front of the C library (LD_PRELOAD). SIMULATED_DISK names a directory:
 * what is in it and below reaches the copy in SIMULATED_DISK_IMAGE only when it is synced, so this copy is what a cut
 * of power would leave. Whichever process syncs a file, everything in it survives, whoever wrote it; therefore whole
 * files are compared and copied. A synced directory loses in the copy what was removed from it.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define CHUNK 65536

typedef int sync_function(int);

static sync_function *real(const char *name) {
  sync_function *found = (sync_function *)dlsym(RTLD_NEXT, name);
  if (!found) abort();
  return found;
}

/* Where the copy of an open file or directory is; 0 when it is none of the disk, or has no name any more. */
static int image_of(int fd, char *image) {
  const char *disk = getenv("SIMULATED_DISK");
  const char *copies = getenv("SIMULATED_DISK_IMAGE");
  char own[64], path[PATH_MAX];
  if (!disk || !copies) return 0;
  snprintf(own, sizeof own, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(own, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = '\0';
  size_t root = strlen(disk);
  if (strncmp(path, disk, root) != 0 || (path[root] != '/' && path[root] != '\0')) return 0;
  if (snprintf(image, PATH_MAX, "%s%s", copies, path + root) >= PATH_MAX) abort();
  return access(path, F_OK) == 0;
}

static void make_parents(char *image) {
  for (char *at = strchr(image + 1, '/'); at; at = strchr(at + 1, '/')) {
    *at = '\0';
    mkdir(image, 0700);
    *at = '/';
  }
}

static void keep_file(int fd, char *image) {
  static char wanted[CHUNK], had[CHUNK];
  char own[64];
  struct stat now;
  make_parents(image);
  snprintf(own, sizeof own, "/proc/self/fd/%d", fd);
  /* The descriptor may be for writing only. */
  int source = open(own, O_RDONLY), copy = open(image, O_RDWR | O_CREAT, 0600);
  if (source < 0 || copy < 0) abort();
  /* Another process may sync it, too, and what it read before must not be written after what is read here. */
  if (flock(copy, LOCK_EX) != 0 || fstat(source, &now) != 0) abort();
  for (off_t at = 0; at < now.st_size; at += CHUNK) {
    ssize_t count = pread(source, wanted, CHUNK, at);
    if (count <= 0) break;
    if (pread(copy, had, CHUNK, at) >= count && memcmp(wanted, had, (size_t)count) == 0) continue;
    if (pwrite(copy, wanted, (size_t)count, at) != count) abort();
  }
  if (ftruncate(copy, now.st_size) != 0) abort();
  close(copy);
  close(source);
}

static void keep_removals(int fd, const char *image) {
  DIR *entries = opendir(image);
  if (!entries) return;
  for (struct dirent *entry; (entry = readdir(entries));)
    if (entry->d_type == DT_REG && faccessat(fd, entry->d_name, F_OK, 0) != 0)
      unlinkat(dirfd(entries), entry->d_name, 0);
  closedir(entries);
}

static int synced(int fd, sync_function *sync) {
  int outcome = sync(fd), before = errno;
  char image[PATH_MAX];
  struct stat what;
  if (outcome == 0 && image_of(fd, image) && fstat(fd, &what) == 0) {
    if (S_ISREG(what.st_mode)) keep_file(fd, image);
    else if (S_ISDIR(what.st_mode)) keep_removals(fd, image);
  }
  errno = before;
  return outcome;
}

int fsync(int fd) {
  return synced(fd, real("fsync"));
}

int fdatasync(int fd) {
  return synced(fd, real("fdatasync"));
}
