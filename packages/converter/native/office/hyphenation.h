/* Hyphenation dictionaries in memory: the structures of libhyphen's <hyphen.h>, which need not be installed. */
#ifndef KILN_HYPHENATION_H
#define KILN_HYPHENATION_H

struct transition {
	char letter;
	int state;
};

struct state {
	char *match;
	char *replacement;
	/* Undefined without a replacement. */
	signed char replacement_index, replacement_cut;
	int fallback;
	int transition_count;
	struct transition *transitions;
};

struct dictionary {
	char left_minimum, right_minimum, compound_left_minimum, compound_right_minimum;
	char *no_hyphen;
	int no_hyphen_count;
	int state_count;
	char encoding[20];
	int is_utf8;
	struct state *states;
	struct dictionary *next_level;
};

/* Replace libhyphen's functions of these names. */
struct dictionary *hnj_hyphen_load(const char *path);
void hnj_hyphen_free(struct dictionary *dictionary);

#endif
