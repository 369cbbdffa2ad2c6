/*
 * LibreOfficeKit in its "unipoll" mode: no thread of LibreOffice's own waits for events. runLoop calls us when
 * there is nothing to do, and we never return. It calls us again from inside, whenever LibreOffice wants to
 * wait for something while it loads or stores; then we only wait.
 */
#define _GNU_SOURCE
#include "libreoffice.h"

#define LOK_USE_UNSTABLE_API
#include <LibreOfficeKit/LibreOfficeKitInit.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "../jail/confine.h"
#include "font-matches.h"

static LibreOfficeKit *kit;
static void (*serve_outermost)(void);
static int wake_descriptor = -1;
static bool inside;

static void wait_for_wake(int microseconds)
{
	struct pollfd wake = { .fd = wake_descriptor, .events = POLLIN };
	uint64_t count;
	/* Never long: LibreOffice may also wait for a timer. */
	int milliseconds = microseconds < 0 || microseconds > 10000 ? 10 : microseconds / 1000;
	if (poll(&wake, 1, milliseconds) > 0 && read(wake_descriptor, &count, sizeof count) < 0)
		return;
}

static int on_poll(void *data, int microseconds)
{
	(void)data;
	if (inside) {
		wait_for_wake(microseconds);
		return 0;
	}
	inside = true;
	serve_outermost();
	_exit(0);
}

static void on_wake(void *data)
{
	(void)data;
	uint64_t one = 1;
	if (write(wake_descriptor, &one, sizeof one) < 0)
		return;
}

void run_libreoffice(const char *installation, const char *profile, void (*serve)(void))
{
	/* runLoop ignores callbacks without a data pointer. */
	static int some_data;
	serve_outermost = serve;
	wake_descriptor = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (wake_descriptor < 0 || setenv("SAL_LOK_OPTIONS", "unipoll", 1))
		fail("cannot make an event counter");
	kit = lok_init_2(installation, profile);
	if (!kit)
		fail("LibreOfficeKit does not start in %s", installation);
	kit->pClass->runLoop(kit, on_poll, on_wake, &some_data);
	fail("LibreOffice ended its event loop");
}

bool run_procedure(const char *name)
{
	char url[128];
	snprintf(url, sizeof url, "macro:///Standard.Convert.%s()", name);
	return kit->pClass->runMacro(kit, url) != 0;
}

void read_font_rules(const char *path)
{
	/* LibreOffice has loaded it and queries it for every font that a document names. */
	void *library = dlopen("libfontconfig.so.1", RTLD_LAZY | RTLD_NOLOAD);
	if (!library)
		return;
	void *(*current)(void) = (void *(*)(void))dlsym(library, "FcConfigGetCurrent");
	int (*read_rules)(void *, const char *, int) =
		(int (*)(void *, const char *, int))dlsym(library, "FcConfigParseAndLoad");
	if (!current || !read_rules || !read_rules(current(), path, 1))
		fail("cannot read the font rules %s", path);
	forget_font_matches();
}

void join_threads(void)
{
#ifdef KIT_KNOWS_FORKS
	if (LIBREOFFICEKIT_HAS(kit, joinThreads))
		kit->pClass->joinThreads(kit);
#endif
}

typedef void (*function)(void);

/*
 * A function of LibreOffice that its kit does not offer, by the name that the compiler gave it. NULL in another
 * program than LibreOffice, which the tests run here.
 */
static function function_of_libreoffice(const char *name)
{
	/* The first contains the second. The loader would search for a library that is not loaded with 150 system calls. */
	static const char *const libraries[] = { "libmergedlo.so", "libcomphelper.so" };
	for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++) {
		void *library = dlopen(libraries[i], RTLD_LAZY | RTLD_NOLOAD);
		if (!library)
			continue;
		function found = (function)dlsym(library, name);
		if (!found)
			fail("LibreOffice has no %s: %s", name, dlerror());
		return found;
	}
	return NULL;
}

/*
 * Otherwise all children would continue with their parent's random numbers, and the values visible in one document
 * would predict those of another.
 */
static void reseed_random_numbers(void)
{
	function reseed = function_of_libreoffice("_ZN10comphelper3rng6reseedEv");
	if (reseed)
		reseed();
}

void paint_controls(void)
{
	/* comphelper::LibreOfficeKit::setActive(bool) */
	void (*set_active)(bool) =
		(void (*)(bool))function_of_libreoffice("_ZN10comphelper14LibreOfficeKit9setActiveEb");
	if (set_active)
		set_active(false);
}

void become_forked(void)
{
	/* An inherited eventfd is shared between processes. */
	int own = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (own < 0 || dup3(own, wake_descriptor, O_CLOEXEC) < 0)
		fail("cannot make an event counter of its own");
	close(own);
	reseed_random_numbers();
#ifdef KIT_KNOWS_FORKS
	if (LIBREOFFICEKIT_HAS(kit, setForkedChild))
		kit->pClass->setForkedChild(kit, true);
#endif
}

const char *libreoffice_version(void)
{
	return kit->pClass->getVersionInfo(kit);
}
