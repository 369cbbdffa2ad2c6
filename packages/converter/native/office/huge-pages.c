/*
 * A fork copies the page tables of memory that was written to, with an entry for every page. With huge pages the same
 * memory has few entries, which halves the time of a fork. A child that writes to a huge page still copies only a
 * small part of it.
 *
 * Code is mapped from files in small pages, whose page table entries a fork does not copy: each child would take a
 * page fault for every one of them, and there are more pages than TLB entries. A copy of the code in huge pages saves
 * about a twentieth of a document's CPU time. Only code that the warm-up documents ran is copied.
 */
#define _GNU_SOURCE
#include "huge-pages.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "mappings.h"

/* A constant of the kernel's interface (Linux 6.1), since the system's headers may be older. */
enum { COLLAPSE = 25 };

static const uintptr_t huge = 2 * 1024 * 1024;

/* Code of which less was executed is not copied: a copy takes memory. */
enum { MIN_SHARE_RUN = 8, MAX_CODE = 256 };

static uintptr_t first_huge_in(const struct mapping *mapping)
{
	return (mapping->from + huge - 1) / huge * huge;
}

static void collapse_heap(void)
{
	FILE *list = open_mappings();
	struct mapping mapping;
	while (next_private_mapping(list, &mapping)) {
		/* One by one: if a part has no memory yet or the kernel has no huge page left, the others still get theirs. */
		for (uintptr_t at = first_huge_in(&mapping); !mapping.is_of_file && at + huge <= mapping.to; at += huge)
			madvise((void *)at, huge, COLLAPSE);
	}
	if (list)
		fclose(list);
}

static bool was_run(int pagemap, uintptr_t at)
{
	uint64_t entries[512];
	uintptr_t size = (uintptr_t)sysconf(_SC_PAGESIZE);
	size_t pages = huge / size, present = 0;
	if (pages > sizeof entries / sizeof *entries)
		return false;
	ssize_t length = (ssize_t)(pages * sizeof *entries);
	if (pread(pagemap, entries, (size_t)length, (off_t)(at / size * sizeof *entries)) != length)
		return false;
	for (size_t i = 0; i < pages; i++)
		present += (entries[i] & PRESENT) != 0;
	return present * MIN_SHARE_RUN >= pages;
}

/* The copy is complete and read-only before it replaces the original in one system call. */
static void copy_code(uintptr_t at)
{
	char *room = mmap(NULL, 2 * huge, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (room == MAP_FAILED)
		return;
	char *copy = (char *)(((uintptr_t)room + huge - 1) / huge * huge);
	if (!madvise(copy, huge, MADV_HUGEPAGE)) {
		memcpy(copy, (void *)at, huge);
		__builtin___clear_cache(copy, copy + huge);
		if (!mprotect(copy, huge, PROT_READ | PROT_EXEC))
			mremap(copy, huge, huge, MREMAP_MAYMOVE | MREMAP_FIXED, (void *)at);
	}
	munmap(room, 2 * huge);
}

static void copy_code_that_was_run(void)
{
	static uintptr_t code[MAX_CODE];
	size_t count = 0;
	int pagemap = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
	FILE *list = open_mappings();
	struct mapping mapping;
	while (pagemap >= 0 && next_mapping(list, &mapping)) {
		if (!mapping.is_executable || mapping.is_writable || !mapping.is_of_file)
			continue;
		for (uintptr_t at = first_huge_in(&mapping); at + huge <= mapping.to && count < MAX_CODE; at += huge) {
			if (was_run(pagemap, at))
				code[count++] = at;
		}
	}
	if (list)
		fclose(list);
	if (pagemap >= 0)
		close(pagemap);
	/* After the list was read completely: each copy changes it. */
	while (count > 0)
		copy_code(code[--count]);
}

void use_huge_pages(void)
{
	collapse_heap();
	copy_code_that_was_run();
}
