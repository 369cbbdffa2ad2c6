#define _GNU_SOURCE
#include "start.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

bool parse_request(char *text, size_t length, struct request *request, char **pointers, size_t capacity) {
  size_t found = 0;
  if (length == 0 || text[length - 1] != 0) return false;
  for (char *field = text; field < text + length; field += strlen(field) + 1) {
    if (found + 2 >= capacity) return false;
    pointers[found++] = field;
  }
  if (found < 8) return false;
  size_t variables = strtoul(pointers[5], NULL, 10);
  if (variables > found - 8) return false;
  char **options = pointers + 6 + variables;
  size_t option_count = strtoul(*options++, NULL, 10);
  if (option_count > found - 8 - variables) return false;
  request->streams = pointers[0];
  request->user = pointers[1];
  request->group = pointers[2];
  request->filter = pointers[3];
  request->directory = pointers[4];
  request->options = *options;
  request->options_length = (size_t)(options[option_count] - *options);
  request->arguments = options + option_count;
  pointers[found] = NULL;
  // Moves the variables one slot down, over their count, which makes room for the terminating NULL.
  memmove(pointers + 5, pointers + 6, variables * sizeof *pointers);
  pointers[5 + variables] = NULL;
  request->environment = pointers + 5;
  return true;
}

int file_with(const char *bytes, size_t length) {
  int file = memfd_create("options", MFD_CLOEXEC);
  if (file >= 0 && write(file, bytes, length) == (ssize_t)length && lseek(file, 0, SEEK_SET) == 0) return file;
  if (file >= 0) close(file);
  return -1;
}

// The OOM killer kills the process with the highest score first: an engine, not the service.
static void raise_oom_score(void) {
  int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (file < 0) return;
  if (write(file, "1000", 4) < 0) perror("oom_score_adj");
  close(file);
}

// Runs in the child. Returns only after an error, with errno set.
static void become(const struct request *request, int wanted[options_descriptor + 1]) {
  // Above all descriptor numbers that will be assigned.
  for (int each = 0; each <= options_descriptor; each++)
    if (wanted[each] >= 0 && (wanted[each] = fcntl(wanted[each], F_DUPFD_CLOEXEC, 64)) < 0) return;
  for (int each = 0; each <= options_descriptor; each++)
    if (wanted[each] >= 0 && dup2(wanted[each], each) < 0) return;
  raise_oom_score();
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  signal(SIGPIPE, SIG_DFL);
  if (setsid() < 0) return;
  if (*request->user != 0) {
    uid_t user = (uid_t)strtoul(request->user, NULL, 10);
    gid_t group = (gid_t)strtoul(request->group, NULL, 10);
    if (setgroups(0, NULL) < 0 || setresgid(group, group, group) < 0 || setresuid(user, user, user) < 0) return;
  }
  if (chdir(request->directory) < 0) return;
  execve(request->arguments[0], request->arguments, request->environment);
}

pid_t start_command(const struct request *request, int wanted[options_descriptor + 1]) {
  int failure[2];
  if (pipe2(failure, O_CLOEXEC) < 0) return -errno;
  pid_t pid = fork();
  if (pid == 0) {
    // Descriptors 0 to 5 of this program are never its own: main() reserves them.
    become(request, wanted);
    int32_t error = errno;
    if (write(failure[1], &error, sizeof error) < 0) perror("write");
    _exit(127);
  }
  int32_t error = pid < 0 ? errno : 0;
  close(failure[1]);
  if (pid >= 0 && read(failure[0], &error, sizeof error) > 0) waitpid(pid, NULL, 0);
  close(failure[0]);
  return error ? -error : pid;
}
