#define _GNU_SOURCE
#include "temporary-folders.h"

#include <errno.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../jail/confine.h"

enum { MOST_FOLDERS = 32, DEEPEST = 4 };

static char *folders[MOST_FOLDERS];
static int count;

static int remember(const char *path, const struct stat *status, int kind, struct FTW *position)
{
	(void)status;
	if (kind != FTW_D || position->level == 0)
		return FTW_CONTINUE;
	/* Folders with a leading dot are caches of other libraries, which create them on demand. */
	if (path[position->base] == '.' || position->level > DEEPEST)
		return FTW_SKIP_SUBTREE;
	if (count < MOST_FOLDERS)
		folders[count++] = strdup(path);
	return FTW_CONTINUE;
}

void remember_temporary_folders(void)
{
	if (nftw("tmp", remember, 8, FTW_PHYS | FTW_ACTIONRETVAL))
		fail("cannot read the temporary folder: %s", strerror(errno));
}

void make_temporary_folders(void)
{
	for (int i = 0; i < count; i++) {
		if (!folders[i] || (mkdir(folders[i], 0700) && errno != EEXIST))
			fail("cannot make a temporary folder: %s", strerror(errno));
	}
}
