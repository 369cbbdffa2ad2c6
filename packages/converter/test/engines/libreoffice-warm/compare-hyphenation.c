/*
 * Loads each dictionary with libhyphen and with Kiln's loader, and compares the automata, whose states may have other
 * numbers. Prints a line for each: its path, "same" or what differs, and the CPU time of both in milliseconds.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../../../native/office/hyphenation.h"

static bool are_equal(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

static int target_of(const struct state *state, char letter)
{
	for (int i = 0; i < state->transition_count; i++) {
		if (state->transitions[i].letter == letter)
			return state->transitions[i].state;
	}
	return -1;
}

static bool is_same_state(const struct state *a, const struct state *b)
{
	return are_equal(a->match, b->match) && are_equal(a->replacement, b->replacement) &&
	       (!a->replacement || (a->replacement_index == b->replacement_index &&
				    a->replacement_cut == b->replacement_cut)) &&
	       a->transition_count == b->transition_count;
}

/* Walks both from the first state, and then compares the fallbacks. */
static const char *difference(const struct dictionary *a, const struct dictionary *b)
{
	if (memcmp(a, b, 4) || a->no_hyphen_count != b->no_hyphen_count || !are_equal(a->no_hyphen, b->no_hyphen) ||
	    strcmp(a->encoding, b->encoding) || a->is_utf8 != b->is_utf8)
		return "other settings";
	if (a->state_count != b->state_count)
		return "other number of states";
	int *twin = calloc((size_t)a->state_count, sizeof(int)), *queue = calloc((size_t)a->state_count, sizeof(int));
	int queued = 1;
	for (int i = 0; i < queued; i++) {
		const struct state *from = &a->states[queue[i]], *other = &b->states[twin[queue[i]]];
		if (!is_same_state(from, other))
			return "another state";
		for (int t = 0; t < from->transition_count; t++) {
			int target = target_of(other, from->transitions[t].letter);
			if (target < 0)
				return "a missing transition";
			twin[from->transitions[t].state] = target;
			queue[queued++] = from->transitions[t].state;
		}
	}
	if (queued != a->state_count)
		return "unreachable states";
	for (int i = 0; i < a->state_count; i++) {
		int fallback = a->states[i].fallback;
		if ((fallback < 0 ? fallback : twin[fallback]) != b->states[twin[i]].fallback)
			return "another fallback";
	}
	return NULL;
}

static const char *difference_of_levels(const struct dictionary *a, const struct dictionary *b)
{
	for (; a && b; a = a->next_level, b = b->next_level) {
		const char *found = difference(a, b);
		if (found)
			return found;
	}
	return a || b ? "another number of levels" : "same";
}

static double milliseconds(void)
{
	struct timespec time;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

int main(int count, char **paths)
{
	void *library = dlopen("libhyphen.so.0", RTLD_LAZY);
	struct dictionary *(*load)(const char *) =
		library ? (struct dictionary * (*)(const char *)) dlsym(library, "hnj_hyphen_load") : NULL;
	if (!load)
		return 1;
	for (int i = 1; i < count; i++) {
		double start = milliseconds();
		const struct dictionary *expected = load(paths[i]);
		double middle = milliseconds();
		const struct dictionary *made = hnj_hyphen_load(paths[i]);
		double end = milliseconds();
		printf("%s\t%s\t%.1f\t%.1f\n", paths[i], difference_of_levels(made, expected), middle - start, end - middle);
	}
	return 0;
}
