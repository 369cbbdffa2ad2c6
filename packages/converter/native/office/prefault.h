/* Memory pages that every document writes to: a waiting child copies them before its document arrives. */
#ifndef KILN_PREFAULT_H
#define KILN_PREFAULT_H

#include <sys/types.h>

/* Reads them from a child that has converted a warm-up document and still runs. */
void learn_pages(pid_t child);

/* Call in a new child. */
void take_pages(void);

#endif
