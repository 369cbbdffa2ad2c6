#define _GNU_SOURCE
#include "descriptors.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../jail/confine.h"

enum { MOST_OPEN = 512 };

static int list_descriptors(int *found)
{
	int count = 0;
	DIR *folder = opendir("/proc/self/fd");
	if (!folder)
		fail("cannot list open files: %s", strerror(errno));
	for (struct dirent *entry; (entry = readdir(folder));) {
		int descriptor = atoi(entry->d_name);
		if (entry->d_name[0] == '.' || descriptor <= 2 || descriptor == dirfd(folder))
			continue;
		if (count == MOST_OPEN)
			fail("too many open files");
		found[count++] = descriptor;
	}
	closedir(folder);
	return count;
}

static int open_anew(int descriptor)
{
	struct stat status;
	char path[32];
	snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
	if (!fstat(descriptor, &status) && S_ISREG(status.st_mode)) {
		int anew = open(path, O_RDONLY | O_CLOEXEC);
		if (anew >= 0)
			return anew;
	}
	return open("/dev/null", O_RDWR | O_CLOEXEC);
}

void separate_descriptors(int keep)
{
	int found[MOST_OPEN];
	int count = list_descriptors(found);
	for (int i = 0; i < count; i++) {
		if (found[i] == keep)
			continue;
		int own = open_anew(found[i]);
		if (own < 0 || dup3(own, found[i], O_CLOEXEC) < 0)
			fail("cannot separate an open file: %s", strerror(errno));
		close(own);
	}
}
