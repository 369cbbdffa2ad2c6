/* The memory mappings of this process. */
#ifndef KILN_MAPPINGS_H
#define KILN_MAPPINGS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define PRESENT (UINT64_C(1) << 63)

struct mapping {
	uintptr_t from, to;
	bool is_writable, is_executable, is_private, is_of_file;
};

/* Null if the list cannot be read. */
FILE *open_mappings(void);

/* False at the end of the list, or if the list is null. */
bool next_mapping(FILE *list, struct mapping *found);

/* Finds the next writable private mapping. */
bool next_private_mapping(FILE *list, struct mapping *found);

#endif
