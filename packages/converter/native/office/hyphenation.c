/*
 * Reads hyphenation dictionaries in place of libhyphen's hnj_hyphen_load, and makes the same automaton. libhyphen looks
 * every prefix of every pattern up in a hash table of fixed size: the German dictionary takes it seconds of CPU time,
 * and every child that hyphenates would spend them. Here the patterns are inserted into the automaton directly.
 *
 * libhyphen itself still reads whatever is not a plain pattern: the encoding, the settings and patterns that change the
 * spelling. It gets a file without the plain ones, and these are added to what it returns.
 *
 * A dictionary has up to two levels, separated by the line NEXTLEVEL. Without that line libhyphen adds a level before
 * the first one, for hyphens and apostrophes.
 */
#define _GNU_SOURCE
#include "hyphenation.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* libhyphen discards longer lines. */
enum { MAX_LINE = 99, BLOCK = 1024 * 1024 };

/* A dictionary is never freed: a child ends with its document. */
static void *allocate(size_t size)
{
	static char *block;
	static size_t left;
	size = (size + 7) & ~(size_t)7;
	if (size > BLOCK)
		return malloc(size);
	if (size > left) {
		block = malloc(BLOCK);
		left = block ? BLOCK : 0;
	}
	if (!block)
		return NULL;
	left -= size;
	return (block += size) - size;
}

static void *enlarged(void *old, size_t size, size_t new_size)
{
	void *new = allocate(new_size);
	if (new && size)
		memcpy(new, old, size);
	return new;
}

static int next_state(const struct state *state, char letter)
{
	for (int i = 0; i < state->transition_count; i++) {
		if (state->transitions[i].letter == letter)
			return state->transitions[i].state;
	}
	return -1;
}

/* Both arrays have room for the next power of two. */
static bool is_full(int count)
{
	return (count & (count - 1)) == 0;
}

static int add_state(struct dictionary *dictionary, int from, char letter)
{
	int added = dictionary->state_count;
	if (is_full(added)) {
		size_t size = (size_t)added * sizeof(struct state);
		struct state *states = enlarged(dictionary->states, size, 2 * size);
		if (!states)
			return -1;
		dictionary->states = states;
	}
	struct state *state = &dictionary->states[from];
	int count = state->transition_count;
	if (is_full(count)) {
		size_t size = (size_t)count * sizeof(struct transition);
		struct transition *transitions =
			enlarged(state->transitions, size, size ? 2 * size : sizeof(struct transition));
		if (!transitions)
			return -1;
		state->transitions = transitions;
	}
	state->transitions[state->transition_count++] = (struct transition){ letter, added };
	dictionary->states[added] = (struct state){ .fallback = -1 };
	return dictionary->state_count++;
}

/* ".ab1c" has the letters .abc, and between them the digits 0001, of which leading zeros are not stored. */
static bool add_pattern(struct dictionary *dictionary, const char *pattern, size_t length)
{
	char digits[MAX_LINE + 2] = "0";
	size_t letters = 0;
	int state = 0;
	for (size_t i = 0; i < length; i++) {
		if (pattern[i] >= '0' && pattern[i] <= '9') {
			digits[letters] = pattern[i];
			continue;
		}
		int next = next_state(&dictionary->states[state], pattern[i]);
		state = next >= 0 ? next : add_state(dictionary, state, pattern[i]);
		if (state < 0)
			return false;
		digits[++letters] = '0';
	}
	const char *stored = digits + strspn(digits, "0");
	char *match = enlarged((char *)stored, strlen(stored) + 1, strlen(stored) + 1);
	dictionary->states[state].match = match;
	return match != NULL;
}

/* The fallback of a state is the one of its longest suffix, which is shorter: in breadth-first order it is known. */
static bool set_fallbacks(struct dictionary *dictionary)
{
	struct state *states = dictionary->states;
	int *queue = malloc((size_t)dictionary->state_count * sizeof(int));
	if (!queue)
		return false;
	int queued = 0;
	queue[queued++] = 0;
	for (int i = 0; i < queued; i++) {
		const struct state *from = &states[queue[i]];
		for (int t = 0; t < from->transition_count; t++) {
			struct transition transition = from->transitions[t];
			int fallback = from->fallback, next = -1;
			while (fallback >= 0 && (next = next_state(&states[fallback], transition.letter)) < 0)
				fallback = states[fallback].fallback;
			states[transition.state].fallback = next < 0 ? 0 : next;
			queue[queued++] = transition.state;
		}
	}
	free(queue);
	return true;
}

/* Gives the arrays of libhyphen the room that add_state expects. */
static bool adopt(struct dictionary *dictionary)
{
	int room = 1;
	while (room < dictionary->state_count)
		room *= 2;
	size_t used = (size_t)dictionary->state_count * sizeof(struct state);
	dictionary->states = enlarged(dictionary->states, used, (size_t)room * sizeof(struct state));
	for (int i = 0; dictionary->states && i < dictionary->state_count; i++) {
		struct state *state = &dictionary->states[i];
		for (room = 1; room < state->transition_count; room *= 2)
			;
		used = (size_t)state->transition_count * sizeof(struct transition);
		state->transitions = enlarged(state->transitions, used, (size_t)room * sizeof(struct transition));
		if (!state->transitions)
			return false;
	}
	return dictionary->states != NULL;
}

static size_t pattern_length(const char *line)
{
	size_t length = 0;
	while ((unsigned char)line[length] > ' ')
		length++;
	return length;
}

static bool is_plain_pattern(const char *line)
{
	static const char *const settings[] = { "LEFTHYPHENMIN", "RIGHTHYPHENMIN", "COMPOUNDLEFTHYPHENMIN",
		"COMPOUNDRIGHTHYPHENMIN", "NOHYPHEN", "NEXTLEVEL" };
	for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
		if (!strncmp(line, settings[i], strlen(settings[i])))
			return false;
	}
	size_t length = pattern_length(line);
	return length > 0 && *line != '%' && !memchr(line, '/', length);
}

static FILE *open_real(const char *path, struct dictionary *(**load_file)(FILE *))
{
	void *library = dlopen("libhyphen.so.0", RTLD_LAZY | RTLD_NOLOAD);
	if (!library)
		return NULL;
	*load_file = (struct dictionary * (*)(FILE *)) dlsym(library, "hnj_hyphen_load_file");
	return *load_file ? fopen(path, "re") : NULL;
}

/* Without its plain patterns, of which `patterns` are of the first level and `more` of the second. */
static struct dictionary *load_rest(FILE *file, struct dictionary *(*load_file)(FILE *), FILE *patterns, FILE *more)
{
	char *rest = NULL, line[MAX_LINE + 1];
	size_t size = 0;
	FILE *writer = open_memstream(&rest, &size), *level = patterns;
	if (!writer)
		return NULL;
	bool is_first = true, is_whole = true;
	while (fgets(line, sizeof line, file)) {
		bool starts_line = is_whole;
		is_whole = strchr(line, '\n') || feof(file);
		if (!starts_line || !is_whole)
			continue;
		if (!strncmp(line, "NEXTLEVEL", strlen("NEXTLEVEL")))
			level = more;
		fputs(line, is_first || !is_plain_pattern(line) ? writer : level);
		is_first = false;
	}
	fclose(writer);
	FILE *reader = fmemopen(rest, size, "r");
	struct dictionary *dictionary = reader ? load_file(reader) : NULL;
	if (reader)
		fclose(reader);
	free(rest);
	return dictionary;
}

static bool add_patterns(struct dictionary *level, const char *patterns)
{
	if (!*patterns)
		return true;
	if (!level || !adopt(level))
		return false;
	for (const char *line = patterns; *line; line += strcspn(line, "\n"), line += *line == '\n') {
		if (!add_pattern(level, line, pattern_length(line)))
			return false;
	}
	return set_fallbacks(level);
}

struct dictionary *hnj_hyphen_load(const char *path)
{
	struct dictionary *(*load_file)(FILE *);
	FILE *file = open_real(path, &load_file);
	if (!file)
		return NULL;
	char *first = NULL, *second = NULL;
	size_t size;
	FILE *patterns = open_memstream(&first, &size), *more = open_memstream(&second, &size);
	struct dictionary *dictionary = patterns && more ? load_rest(file, load_file, patterns, more) : NULL;
	fclose(file);
	if (patterns)
		fclose(patterns);
	if (more)
		fclose(more);
	/* Only a level that libhyphen adds is first without patterns of its own. */
	bool has_levels = dictionary && *second;
	struct dictionary *main = !dictionary || has_levels ? dictionary : dictionary->next_level;
	bool is_complete = dictionary && add_patterns(main, first) && add_patterns(dictionary->next_level, second);
	free(first);
	free(second);
	return is_complete ? dictionary : NULL;
}

/* What was adopted cannot be freed by libhyphen. */
void hnj_hyphen_free(struct dictionary *dictionary)
{
	(void)dictionary;
}
