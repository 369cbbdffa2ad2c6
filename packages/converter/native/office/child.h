/* A forked process: it waits for one document, confines itself, converts it and exits. */
#ifndef KILN_CHILD_H
#define KILN_CHILD_H

#include <sys/types.h>

/* Adds a path that every child may read: programs, fonts, the profile. */
void allow_reading(const char *path);

/* Sent when it is confined; followed by percentages up to 100, and a zero when it is done. */
enum { LOCKED_IN = 127 };

/* Receives its job from the descriptor and answers there. */
__attribute__((noreturn)) void be_child(int channel, pid_t parent);

#endif
