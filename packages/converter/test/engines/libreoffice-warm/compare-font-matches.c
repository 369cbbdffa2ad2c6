/*
 * Asks for the best font of each family, of fontconfig and twice through Kiln's cache, and again after RULES were read.
 * Prints the family, that of the answer, and "same" or "other".
 * Usage: compare-font-matches RULES FAMILY...
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>

#include "../../../native/office/font-matches.h"

int FcConfigSubstitute(void *config, void *pattern, int kind);
void FcDefaultSubstitute(void *pattern);
void *FcFontSetMatch(void *config, void **sets, int count, void *pattern, int *status);

static void *library;

#define REAL(type, name, ...) type (*name)(__VA_ARGS__) = (type(*)(__VA_ARGS__))dlsym(library, "Fc" #name)

static void *pattern_of(const char *family)
{
	REAL(void *, NameParse, const char *);
	return NameParse(family);
}

static void *real_answer(void *config, void **fonts, const char *family)
{
	REAL(int, ConfigSubstitute, void *, void *, int);
	REAL(void, DefaultSubstitute, void *);
	REAL(void *, FontSetMatch, void *, void **, int, void *, int *);
	void *pattern = pattern_of(family);
	int status;
	ConfigSubstitute(config, pattern, 0);
	DefaultSubstitute(pattern);
	return FontSetMatch(config, fonts, 1, pattern, &status);
}

static void *cached_answer(void *config, void **fonts, const char *family)
{
	void *pattern = pattern_of(family);
	int status;
	FcConfigSubstitute(config, pattern, 0);
	FcDefaultSubstitute(pattern);
	return FcFontSetMatch(config, fonts, 1, pattern, &status);
}

static void compare(void *config, void **fonts, const char *family)
{
	REAL(int, PatternEqual, void *, void *);
	REAL(int, PatternGetString, void *, const char *, int, char **);
	void *expected = real_answer(config, fonts, family);
	for (int round = 0; round < 2; round++) {
		void *answer = cached_answer(config, fonts, family);
		char *name = "";
		PatternGetString(answer, "family", 0, &name);
		printf("%s\t%s\t%s\n", family, name, PatternEqual(expected, answer) ? "same" : "other");
	}
}

int main(int count, char **arguments)
{
	library = dlopen("libfontconfig.so.1", RTLD_LAZY);
	REAL(void *, InitLoadConfigAndFonts, void);
	REAL(void *, ConfigGetFonts, void *, int);
	REAL(int, ConfigParseAndLoad, void *, const char *, int);
	if (count < 2 || !library)
		return 1;
	void *config = InitLoadConfigAndFonts();
	void *fonts = ConfigGetFonts(config, 0);
	for (int i = 2; i < count; i++)
		compare(config, &fonts, arguments[i]);
	if (!ConfigParseAndLoad(config, arguments[1], 1))
		return 1;
	forget_font_matches();
	for (int i = 2; i < count; i++)
		compare(config, &fonts, arguments[i]);
	return 0;
}
