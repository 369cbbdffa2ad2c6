/* To be called once, before the first fork and while there is one thread. Where the kernel cannot do it, nothing changes. */
#ifndef KILN_HUGE_PAGES_H
#define KILN_HUGE_PAGES_H

void use_huge_pages(void);

#endif
