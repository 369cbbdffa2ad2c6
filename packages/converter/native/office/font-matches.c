/*
 * LibreOffice asks fontconfig for a substitute of every font in every size, each time with the same query: the size is
 * not part of it. An answer takes 1 to 2 ms. The functions below replace fontconfig's, because a program's own symbols
 * come before those of libraries, and cache answers by query. Children inherit those of the warm-up documents.
 *
 * A query takes three calls: FcConfigSubstitute and FcDefaultSubstitute complete the pattern, FcFontSetMatch finds the
 * best font. LibreOffice reads nothing of the pattern in between, and holds its global mutex. So if the answer is known,
 * the first two do nothing.
 */
#define _GNU_SOURCE
#include "font-matches.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Types and constants of <fontconfig/fontconfig.h>, which need not be installed. */
typedef struct config FcConfig;
typedef struct pattern FcPattern;
typedef struct font_set FcFontSet;
typedef struct string_set FcStrSet;
enum { MATCH_PATTERN = 0 };

enum { SLOTS = 1024 };

static struct match {
	FcPattern *query, *answer;
	FcFontSet *fonts;
	int status;
} matches[SLOTS];

/* Between FcConfigSubstitute and FcFontSetMatch: the pattern, a copy of the query, and its slot, if there is one. */
static FcPattern *asked, *query;
static struct match *slot;

static void *library;

static void *fontconfig(const char *name)
{
	/* LibreOffice is linked with it, so it is loaded when these functions are called. */
	if (!library)
		library = dlopen("libfontconfig.so.1", RTLD_LAZY | RTLD_NOLOAD);
	return dlsym(library, name);
}

/* Declares `name` as fontconfig's function of that name. */
#define REAL(type, name, ...) \
	static type (*name)(__VA_ARGS__); \
	if (!name) \
	name = (type(*)(__VA_ARGS__))fontconfig("Fc" #name)

static struct match *slot_of(FcPattern *pattern)
{
	REAL(uint32_t, PatternHash, FcPattern *);
	REAL(int, PatternEqual, FcPattern *, FcPattern *);
	uint32_t hash = PatternHash(pattern);
	for (uint32_t i = 0; i < SLOTS; i++) {
		struct match *match = &matches[(hash + i) % SLOTS];
		if (!match->query || PatternEqual(match->query, pattern))
			return match;
	}
	return NULL;
}

static FcPattern *copy(FcPattern *pattern)
{
	REAL(FcPattern *, PatternDuplicate, FcPattern *);
	return pattern ? PatternDuplicate(pattern) : NULL;
}

static void destroy(FcPattern *pattern)
{
	REAL(void, PatternDestroy, FcPattern *);
	if (pattern)
		PatternDestroy(pattern);
}

static bool is_known(FcPattern *pattern)
{
	return pattern == asked && slot && slot->query;
}

static void end_query(void)
{
	destroy(query);
	asked = query = NULL;
	slot = NULL;
}

int FcConfigSubstitute(FcConfig *config, FcPattern *pattern, int kind)
{
	REAL(int, ConfigSubstitute, FcConfig *, FcPattern *, int);
	end_query();
	if (kind == MATCH_PATTERN) {
		asked = pattern;
		query = copy(pattern);
		slot = slot_of(pattern);
		if (is_known(pattern))
			return 1;
	}
	return ConfigSubstitute(config, pattern, kind);
}

void FcDefaultSubstitute(FcPattern *pattern)
{
	REAL(void, DefaultSubstitute, FcPattern *);
	if (!is_known(pattern))
		DefaultSubstitute(pattern);
}

FcPattern *FcFontSetMatch(FcConfig *config, FcFontSet **sets, int count, FcPattern *pattern, int *status)
{
	REAL(FcPattern *, FontSetMatch, FcConfig *, FcFontSet **, int, FcPattern *, int *);
	REAL(int, ConfigSubstitute, FcConfig *, FcPattern *, int);
	REAL(void, DefaultSubstitute, FcPattern *);
	if (is_known(pattern) && count == 1 && slot->fonts == *sets) {
		*status = slot->status;
		FcPattern *answer = copy(slot->answer);
		end_query();
		return answer;
	}
	if (is_known(pattern)) {
		ConfigSubstitute(config, pattern, MATCH_PATTERN);
		DefaultSubstitute(pattern);
	}
	FcPattern *answer = FontSetMatch(config, sets, count, pattern, status);
	if (pattern == asked && slot && !slot->query && query && count == 1) {
		*slot = (struct match){ query, copy(answer), *sets, *status };
		query = NULL;
	}
	end_query();
	return answer;
}

/* LibreOffice looks a language up in this list for every query, and fontconfig makes it anew each time. */
static FcStrSet *languages;

FcStrSet *FcGetLangs(void)
{
	REAL(FcStrSet *, GetLangs, void);
	if (!languages)
		languages = GetLangs();
	return languages;
}

void FcStrSetDestroy(FcStrSet *set)
{
	REAL(void, StrSetDestroy, FcStrSet *);
	if (set != languages)
		StrSetDestroy(set);
}

void forget_font_matches(void)
{
	end_query();
	for (size_t i = 0; i < SLOTS; i++) {
		destroy(matches[i].query);
		destroy(matches[i].answer);
		matches[i] = (struct match){ 0 };
	}
}
