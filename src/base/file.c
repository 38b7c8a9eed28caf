// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/// Time between two looks at a pipe that nobody reads, us.
enum { PAUSE_US = 50000 };

/// Why a file of that kind is not opened.
static const char *refusal(mode_t mode) {
  return S_ISFIFO(mode)   ? "it is a pipe, not a file"
         : S_ISDIR(mode)  ? "it is a folder, not a file"
         : S_ISSOCK(mode) ? "it is a socket, not a file"
         : S_ISLNK(mode)  ? "it is a symbolic link, not a file"
                          : "it is a device, not a file";
}

/// Whether it is what the program has as this descriptor.
static bool is_own(const struct stat *found, int descriptor) {
  struct stat own;
  return fstat(descriptor, &own) == 0 && own.st_dev == found->st_dev && own.st_ino == found->st_ino;
}

int vb_file_open(const char *path, int flags, const char **why) {
  struct stat found;
  int file = open(path, flags | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0666);
  if (file < 0) {
    int code = errno;
    // A link is named as such: the system's reason speaks of too many levels of them.
    bool link = errno == ELOOP && (flags & O_NOFOLLOW) && lstat(path, &found) == 0;
    // What has no reader, or is a socket, cannot even be opened.
    bool odd = errno == ENXIO && lstat(path, &found) == 0;
    *why = link || odd ? refusal(found.st_mode) : strerror(code);
    errno = code;
    return -1;
  }
  bool good = fstat(file, &found) == 0;
  bool input = good && (flags & O_ACCMODE) == O_RDONLY && is_own(&found, STDIN_FILENO);
  if (good && (S_ISREG(found.st_mode) || (input && !S_ISDIR(found.st_mode)))) {
    fcntl(file, F_SETFL, flags & ~O_NONBLOCK);
    return file;
  }
  *why = good ? refusal(found.st_mode) : strerror(errno);
  close(file);
  errno = EINVAL;
  return -1;
}

int vb_file_create(const char *path, const char **why) {
  if (unlink(path) && errno != ENOENT) {
    *why = errno == EISDIR ? refusal(S_IFDIR) : strerror(errno);
    return -1;
  }
  return vb_file_open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, why);
}

/// Reads what is there, at most `n` bytes; 0 at the end, -1 on failure. Waits for the standard
/// input by poll, which a signal ends even where its handler asks for calls to go on.
static ssize_t read_some(int file, char *out, size_t n) {
  struct pollfd ready = {.fd = file, .events = POLLIN};
  return poll(&ready, 1, -1) < 0 ? -1 : read(file, out, n);
}

/// Reads to the end or `most` + 1 bytes, the latter to tell that there are more.
static vb_status read_all(int file, const char *shown, size_t most, char **out, size_t *size,
                          vb_error *error) {
  size_t room = 1 << 16, n = 0;
  char *text = malloc(room + 1);
  ssize_t more = 1;
  while (text && n <= most && (more = read_some(file, text + n, room - n)) > 0) {
    n += (size_t)more;
    if (n < room)
      continue;
    char *grown = realloc(text, 2 * room + 1);
    if (!grown)
      free(text);
    text = grown;
    room *= 2;
  }
  if (!text)
    return vb_error_memory(error);
  vb_status status = VB_OK;
  if (more < 0 && errno == EINTR)
    status = vb_error_set(error, VB_INTERRUPTED, "%s: a signal ended the wait for it", shown);
  else if (more < 0)
    status = vb_bad_input(error, "%s: cannot be read: %s", shown, strerror(errno));
  else if (n > most)
    status = vb_bad_input(error, "%s: is longer than %zu bytes", shown, most);
  if (status) {
    free(text);
    return status;
  }
  text[n] = '\0';
  *out = text;
  *size = n;
  return VB_OK;
}

vb_status vb_file_read(const char *path, const char *shown, size_t most, char **out, size_t *size,
                       vb_error *error) {
  const char *why;
  int file = vb_file_open(path, O_RDONLY, &why);
  if (file < 0)
    return vb_bad_input(error, "%s: cannot be opened: %s", shown, why);
  vb_status status = read_all(file, shown, most, out, size, error);
  close(file);
  return status;
}

static vb_status cannot_write(const char *path, int reason, vb_error *error) {
  if (reason == EINTR)
    return vb_error_set(error, VB_INTERRUPTED, "a signal ended the wait for a reader of %s", path);
  return vb_error_set(error, VB_CANNOT_WRITE, "cannot write %s: %s", path, strerror(reason));
}

/// Opens what is no regular file for writing; of a pipe that nobody reads yet, waits for a reader
/// or a signal. An errno value on failure.
static int open_target(const char *path, int *out) {
  int file;
  while ((file = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)) < 0 &&
         errno == ENXIO)
    if (usleep(PAUSE_US))
      return EINTR;
  if (file < 0)
    return errno;
  fcntl(file, F_SETFL, O_WRONLY);
  *out = file;
  return 0;
}

int vb_file_copy(int from, int to) {
  char buffer[1 << 16];
  off_t at = 0;
  for (ssize_t n; (n = pread(from, buffer, sizeof buffer, at)) != 0; at += n) {
    if (n < 0)
      return errno;
    for (ssize_t done = 0, wrote; done < n; done += wrote)
      if ((wrote = write(to, buffer + done, (size_t)(n - done))) < 0)
        return errno;
  }
  return 0;
}

/// Writes the bytes of `temporary` to what is no regular file.
static vb_status write_in_place(int temporary, const char *path, vb_error *error) {
  int target = -1, reason = open_target(path, &target);
  if (!reason)
    reason = vb_file_copy(temporary, target);
  if (target >= 0 && close(target) && !reason)
    reason = errno;
  return reason ? cannot_write(path, reason, error) : VB_OK;
}

/// Whether a rename to that name would replace what is no regular file.
static bool is_odd(const char *path, bool asked) {
  struct stat found;
  if (lstat(path, &found) != 0 || S_ISREG(found.st_mode) || S_ISDIR(found.st_mode))
    return false;
  if (!S_ISLNK(found.st_mode))
    return true;
  return asked && stat(path, &found) == 0 &&
         ((!S_ISREG(found.st_mode) && !S_ISDIR(found.st_mode)) || is_own(&found, STDOUT_FILENO) ||
          is_own(&found, STDERR_FILENO));
}

vb_status vb_file_rename(const char *from, const char *to, vb_error *error) {
  if (rename(from, to) == 0)
    return VB_OK;
  return vb_error_set(error, VB_CANNOT_WRITE, "cannot rename %s to %s: %s", from, to,
                      strerror(errno));
}

vb_status vb_file_publish(const char *temporary, const char *path, vb_error *error) {
  if (!is_odd(path, false))
    return vb_file_rename(temporary, path, error);
  const char *why;
  int file = vb_file_open(temporary, O_RDONLY | O_NOFOLLOW, &why);
  if (file < 0)
    return vb_error_set(error, VB_CANNOT_WRITE, "cannot read %s: %s", temporary, why);
  vb_status status = write_in_place(file, path, error);
  close(file);
  if (!status)
    unlink(temporary);
  return status;
}

vb_status vb_output_begin(const char *path, bool asked, vb_output *out, vb_error *error) {
  vb_output output = {.path = strdup(path), .file = -1, .in_place = is_odd(path, asked)};
  const char *why = NULL;
  int length;
  if (output.in_place) {
    output.file = memfd_create("viperbench-output", MFD_CLOEXEC);
    why = output.file < 0 ? strerror(errno) : NULL;
    // Other programs that write it, such as gnuplot, find it by this name.
    length = asprintf(&output.name, "/proc/%d/fd/%d", (int)getpid(), output.file);
  } else if ((length = asprintf(&output.name, "%s.part", path)) >= 0) {
    output.file = vb_file_create(output.name, &why);
  }
  vb_status status = VB_OK;
  if (length < 0 || !output.path) {
    output.name = length < 0 ? NULL : output.name;
    status = vb_error_memory(error);
  } else if (why) {
    status = vb_error_set(error, VB_CANNOT_WRITE, "cannot write %s: %s", path, why);
  }
  if (!status) {
    *out = output;
    return VB_OK;
  }
  if (output.file >= 0)
    close(output.file);
  free(output.name);
  free(output.path);
  return status;
}

FILE *vb_output_stream(const vb_output *output) {
  int file = fcntl(output->file, F_DUPFD_CLOEXEC, 0);
  FILE *stream = file < 0 ? NULL : fdopen(file, "w");
  if (file >= 0 && !stream)
    close(file);
  return stream;
}

vb_status vb_output_end(vb_output *output, vb_status status, vb_error *error) {
  if (!status && output->in_place)
    status = write_in_place(output->file, output->path, error);
  else if (!status)
    status = vb_file_publish(output->name, output->path, error);
  if (status && !output->in_place)
    unlink(output->name);
  close(output->file);
  free(output->name);
  free(output->path);
  *output = (vb_output){.file = -1};
  return status;
}

vb_status vb_folder_make(const char *folder, vb_error *error) {
  struct stat found;
  char *path = strdup(folder);
  if (!path)
    return vb_error_memory(error);
  vb_status status = VB_OK;
  for (char *end = path; !status && end;) {
    end = strchr(end + 1, '/');
    if (end)
      *end = '\0';
    if (mkdir(path, 0777) && errno != EEXIST)
      status = vb_error_set(error, VB_CANNOT_WRITE, "cannot make the folder %s: %s", path,
                            strerror(errno));
    if (end)
      *end = '/';
  }
  if (!status && (stat(path, &found) || !S_ISDIR(found.st_mode)))
    status = vb_error_set(error, VB_CANNOT_WRITE, "%s is not a folder", path);
  free(path);
  return status;
}
