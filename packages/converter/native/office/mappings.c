#define _GNU_SOURCE
#include "mappings.h"

FILE *open_mappings(void)
{
	return fopen("/proc/self/maps", "re");
}

bool next_mapping(FILE *list, struct mapping *found)
{
	char line[512], access[5];
	unsigned long inode;
	while (list && fgets(line, sizeof line, list)) {
		if (sscanf(line, "%lx-%lx %4s %*s %*s %lu", &found->from, &found->to, access, &inode) != 4)
			continue;
		found->is_writable = access[1] == 'w';
		found->is_executable = access[2] == 'x';
		found->is_private = access[3] == 'p';
		found->is_of_file = inode != 0;
		return true;
	}
	return false;
}

bool next_private_mapping(FILE *list, struct mapping *found)
{
	while (next_mapping(list, found)) {
		if (found->is_writable && found->is_private)
			return true;
	}
	return false;
}
