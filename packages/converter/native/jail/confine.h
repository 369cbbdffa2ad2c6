/* Confines the calling process, and all programs that it executes and starts, to the given paths. */
#ifndef KILN_CONFINE_H
#define KILN_CONFINE_H

#include <stddef.h>

struct sock_filter;

/* SOCKET: only sockets may be created there. */
enum access { READ, WRITE, DEVICE, SOCKET };

struct place {
	const char *path;
	enum access access;
};

struct places {
	struct place list[64];
	int count;
};

void add_place(struct places *places, const char *path, enum access access);

/* Treats the kernel as one with this Landlock ABI if its own is newer, to test the behaviour on older kernels. */
void assume_landlock_abi(int abi);

/* Irreversible: Landlock for the paths, no new privileges, then the filter read from the descriptor. */
void confine(const struct places *places, int filter_descriptor);

/*
 * The halves of it, for a process that locks itself in step by step; no new privileges must be given up before.
 * The first returns the kernel's Landlock ABI.
 */
int restrict_files(const struct places *places);
void apply_filter(struct sock_filter *program, size_t length);

/* Prints the reason to stderr and exits with status 125. */
__attribute__((noreturn, format(printf, 1, 2))) void fail(const char *format, ...);

/* A failing child also writes one byte here, so that its supervisor can distinguish it from the program. */
void on_failure_write_to(int descriptor);

#endif
