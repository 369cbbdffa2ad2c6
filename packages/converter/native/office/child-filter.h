/* The system calls that a process which holds a user's document may not make. */
#ifndef KILN_CHILD_FILTER_H
#define KILN_CHILD_FILTER_H

void refuse_system_calls(void);

#endif
