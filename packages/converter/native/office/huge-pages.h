/* Call once, before the first fork and while there is one thread. Has no effect if the kernel does not support it. */
#ifndef KILN_HUGE_PAGES_H
#define KILN_HUGE_PAGES_H

void use_huge_pages(void);

#endif
