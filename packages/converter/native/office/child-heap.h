/* A heap of its own for every child, apart from the one that it inherits. */
#ifndef KILN_CHILD_HEAP_H
#define KILN_CHILD_HEAP_H

/* Call once, before the first fork. */
void prepare_child_heap(void);

/* Call in a new child. */
void use_child_heap(void);

#endif
