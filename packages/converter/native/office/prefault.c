/*
 * A fork shares all memory, and the kernel copies a page on the first write. Every document writes to the same
 * thousands of pages, regardless of its content; the children that convert warm-up documents show which. Pages that
 * were private to all of them are then copied by every later child while it waits. The copies have the content of
 * this process, so they contain no data of a document.
 *
 * If the kernel does not report private pages or cannot populate them in advance (before Linux 5.14), children copy
 * them on demand.
 */
#define _GNU_SOURCE
#include "prefault.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "mappings.h"

/* A constant of the kernel's interface, since the system's headers may be older. */
enum { POPULATE_WRITE = 23 };
#define OF_FILE (UINT64_C(1) << 61)
#define ITS_ALONE (UINT64_C(1) << 56)

struct pages {
	uintptr_t *address;
	size_t count, room;
};

static struct pages common;
static bool knows_some;

static void add_page(struct pages *pages, uintptr_t address)
{
	if (pages->count == pages->room) {
		size_t room = pages->room ? pages->room * 2 : 4096;
		uintptr_t *larger = realloc(pages->address, room * sizeof *larger);
		if (!larger)
			return;
		pages->address = larger;
		pages->room = room;
	}
	pages->address[pages->count++] = address;
}

static void add_pages_of(struct pages *pages, int pagemap, uintptr_t from, uintptr_t to, uintptr_t size)
{
	uint64_t entries[512];
	while (from < to) {
		size_t wanted = (to - from) / size;
		if (wanted > sizeof entries / sizeof *entries)
			wanted = sizeof entries / sizeof *entries;
		ssize_t got = pread(pagemap, entries, wanted * sizeof *entries, (off_t)(from / size * sizeof *entries));
		if (got < (ssize_t)sizeof *entries)
			return;
		size_t known = (size_t)got / sizeof *entries;
		for (size_t i = 0; i < known; i++) {
			if ((entries[i] & (PRESENT | OF_FILE | ITS_ALONE)) == (PRESENT | ITS_ALONE))
				add_page(pages, from + i * size);
		}
		from += known * size;
	}
}

/* Both lists are sorted in ascending order. */
static void keep_common(const struct pages *others)
{
	size_t kept = 0, other = 0;
	for (size_t i = 0; i < common.count; i++) {
		while (other < others->count && others->address[other] < common.address[i])
			other++;
		if (other < others->count && others->address[other] == common.address[i])
			common.address[kept++] = common.address[i];
	}
	common.count = kept;
}

void learn_pages(pid_t child)
{
	char path[64];
	snprintf(path, sizeof path, "/proc/%d/pagemap", child);
	int pagemap = open(path, O_RDONLY | O_CLOEXEC);
	/* Only mappings that existed before the fork. */
	FILE *list = open_mappings();
	struct pages found = { .count = 0 };
	struct mapping mapping;
	while (pagemap >= 0 && next_private_mapping(list, &mapping))
		add_pages_of(&found, pagemap, mapping.from, mapping.to, (uintptr_t)sysconf(_SC_PAGESIZE));
	if (pagemap >= 0)
		close(pagemap);
	if (list)
		fclose(list);
	if (knows_some) {
		keep_common(&found);
		free(found.address);
	} else {
		common = found;
		knows_some = true;
	}
}

void take_pages(void)
{
	uintptr_t size = (uintptr_t)sysconf(_SC_PAGESIZE);
	for (size_t i = 0, next; i < common.count; i = next) {
		for (next = i + 1; next < common.count && common.address[next] == common.address[next - 1] + size; next++)
			;
		/* Fails without effect for mappings that no longer exist. */
		madvise((void *)common.address[i], (next - i) * size, POPULATE_WRITE);
	}
}
