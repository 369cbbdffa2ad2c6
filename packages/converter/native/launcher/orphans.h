// CPU time of orphans. bubblewrap exits without waiting for process 1 of its sandbox, whose CPU time, including that of
// the program, would be lost. The launcher is a subreaper: orphans become its children, and it waits for them.

#ifndef KILN_LAUNCHER_ORPHANS_H
#define KILN_LAUNCHER_ORPHANS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

// Records an orphan that has exited and drops the oldest record.
void remember_orphan(pid_t pid, int32_t milliseconds);

// False if there is no record of such an orphan. The record is removed: another process may get its PID.
bool take_orphan(pid_t pid, int32_t *milliseconds);

// Whether it is a child of this process that has not been waited for.
bool is_child(pid_t pid);

#endif
