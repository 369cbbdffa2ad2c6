/* The system calls that are forbidden to a process with a user's document. */
#ifndef KILN_CHILD_FILTER_H
#define KILN_CHILD_FILTER_H

void refuse_system_calls(void);

#endif
