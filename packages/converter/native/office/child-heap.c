/*
 * After the warm-up, free memory is scattered over the whole heap. A child that allocated there would copy an inherited
 * page for every few objects. So this process reserves an unused region in an arena of its own, from which children
 * allocate: they get huge pages that the kernel only has to clear, and their objects are close together. LibreOffice unzips, parses and compresses
 * in threads, to which jemalloc would assign the inherited heap: the function below replaces that of the C library.
 *
 * Without jemalloc (warm-server.ts preloads it), children allocate from the inherited heap.
 */
#define _GNU_SOURCE
#include "child-heap.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

/* Enough for a typical document; more is mapped on demand. Its alignment is the size of a huge page. */
enum { ROOM = 32 * 1024 * 1024, ALIGNMENT_BITS = 21 };

static int (*control)(const char *name, void *old, size_t *old_size, void *new, size_t new_size);
static unsigned arena;
static bool has_arena, is_in_use;

/* As MALLOCX_LG_ALIGN, MALLOCX_TCACHE_NONE and MALLOCX_ARENA of <jemalloc/jemalloc.h>, which need not be installed. */
static int flags_of(unsigned index)
{
	return ALIGNMENT_BITS | 1 << 8 | (int)(index + 1) << 20;
}

void prepare_child_heap(void)
{
	control = (int (*)(const char *, void *, size_t *, void *, size_t))dlsym(RTLD_DEFAULT, "mallctl");
	void *(*allocate)(size_t, int) = (void *(*)(size_t, int))dlsym(RTLD_DEFAULT, "mallocx");
	void (*release)(void *, int) = (void (*)(void *, int))dlsym(RTLD_DEFAULT, "dallocx");
	size_t size = sizeof arena;
	if (!control || !allocate || !release || control("arenas.create", &arena, &size, NULL, 0))
		return;
	has_arena = true;
	/* An arena keeps the address space of what was released. */
	void *room = allocate(ROOM, flags_of(arena));
	if (!room)
		return;
	release(room, flags_of(arena));
	char purge[32];
	snprintf(purge, sizeof purge, "arena.%u.purge", arena);
	control(purge, NULL, NULL, NULL, 0);
	madvise(room, ROOM, MADV_HUGEPAGE);
}

void use_child_heap(void)
{
	if (!has_arena)
		return;
	/* The thread's cache has free objects of the inherited heap. */
	control("thread.tcache.flush", NULL, NULL, NULL, 0);
	control("thread.arena", NULL, NULL, &arena, sizeof arena);
	is_in_use = true;
}

struct start {
	void *(*routine)(void *);
	void *argument;
};

static void *start_with_child_heap(void *given)
{
	struct start start = *(struct start *)given;
	control("thread.arena", NULL, NULL, &arena, sizeof arena);
	free(given);
	return start.routine(start.argument);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*routine)(void *), void *argument)
{
	static int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
	if (!create)
		create = (int (*)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *))dlsym(RTLD_NEXT, __func__);
	if (!is_in_use)
		return create(thread, attributes, routine, argument);
	struct start *start = malloc(sizeof *start);
	if (!start)
		return EAGAIN;
	*start = (struct start){ routine, argument };
	int error = create(thread, attributes, start_with_child_heap, start);
	if (error)
		free(start);
	return error;
}
