// CPU time of orphans. bubblewrap ends without waiting for process 1 of its sandbox, whose CPU time, with that of the
// program, would be lost. The launcher is a subreaper: orphans become its children, and it waits for them.

#ifndef KILN_LAUNCHER_ORPHANS_H
#define KILN_LAUNCHER_ORPHANS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

// Remembers an orphan that has ended; the oldest one is forgotten.
void remember_orphan(pid_t pid, int32_t milliseconds);

// False if no such orphan is remembered. It is forgotten then: another process may get its id.
bool take_orphan(pid_t pid, int32_t *milliseconds);

// Whether it is a child of this process that has not been waited for.
bool is_child(pid_t pid);

#endif
