#define _GNU_SOURCE
#include "orphans.h"

#include <stddef.h>
#include <sys/wait.h>

enum { remembered = 1024 };

static struct {
  pid_t pid;
  int32_t milliseconds;
} orphans[remembered];
static size_t next;

void remember_orphan(pid_t pid, int32_t milliseconds) {
  int32_t earlier;
  take_orphan(pid, &earlier);
  orphans[next].pid = pid;
  orphans[next].milliseconds = milliseconds;
  next = (next + 1) % remembered;
}

bool take_orphan(pid_t pid, int32_t *milliseconds) {
  for (size_t index = 0; index < remembered; index++)
    if (orphans[index].pid == pid) {
      *milliseconds = orphans[index].milliseconds;
      orphans[index].pid = 0;
      return true;
    }
  return false;
}

bool is_child(pid_t pid) {
  siginfo_t ended = {0};
  return waitid(P_PID, (id_t)pid, &ended, WEXITED | WNOHANG | WNOWAIT) == 0;
}
