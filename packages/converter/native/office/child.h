/* A forked process: it waits for one document, locks itself in, converts it and ends. */
#ifndef KILN_CHILD_H
#define KILN_CHILD_H

#include <stdbool.h>
#include <sys/types.h>

/* What every child may read: programs, fonts, the profile. */
void allow_reading(const char *path);

/* What it says when it is locked in; then follow percents up to 100, and a zero when it is done. */
enum { LOCKED_IN = 127 };

/* Takes its job from the descriptor and answers there. It waits where it was forked ahead of need. */
__attribute__((noreturn)) void be_child(int channel, pid_t parent, bool waits);

#endif
