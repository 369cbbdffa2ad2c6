/* Pages of memory that every document writes to: a child that waits gets copies of its own before its document comes. */
#ifndef KILN_REHEARSAL_H
#define KILN_REHEARSAL_H

#include <sys/types.h>

/* Of a child that has converted a sample of ours and still lives. */
void learn_pages(pid_t child);

/* In a new child. */
void take_pages(void);

#endif
