/* The table of forked processes: spare ones that wait, and those at work. */
#ifndef KILN_CHILDREN_H
#define KILN_CHILDREN_H

#include <poll.h>

enum { MOST_CHILDREN = 64 };

/* Sets the number of children that wait in advance. */
void keep_spares(int count);

/* CONVERT or WARM-UP ID FOLDER WALL-MILLISECONDS CPU-SECONDS MEMORY-BYTES FILE-BYTES NAME=VALUE… */
struct message;
void convert(const struct message *message, int answers);

void cancel(const char *id);

/* For the event loop: descriptors to poll, timeout, and handler. */
int list_channels(struct pollfd *list);
int milliseconds_to_next_step(void);
void look_after_children(const struct pollfd *list, int count, int answers);

#endif
