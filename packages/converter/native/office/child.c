/*
 * The life of a child, in order:
 *   forked     all that needs no document: own session, death with the parent, files opened anew, the filter of
 *              system calls
 *   waiting    for its job on the channel
 *   locked in  Landlock: its own in/ for reading, its own out/ and tmp/ for writing, and no look into another
 *              process; then limits, and a byte on the channel that says so. A child that ends before was never
 *              built, and its document, which it has not opened, is not to blame
 *   at work    the Basic program, with the plan in the environment, step by step; after each but the last it says
 *              on the channel how far it is, as a byte from 1 to 100
 *   ended      a zero byte on the channel, upon which it is killed: nothing is taken down, the kernel does it faster
 *
 * LibreOffice keeps its temporary files below $TMPDIR, which it asks for once, before the fork. $TMPDIR is
 * /proc/self/cwd/tmp, so it means another folder for every process: that of its job.
 */
#define _GNU_SOURCE
#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "../jail/confine.h"
#include "child-filter.h"
#include "child-heap.h"
#include "descriptors.h"
#include "frames.h"
#include "libreoffice.h"
#include "temporary-folders.h"

/* Loading and storing take about the same time. */
static const struct {
	const char *procedure;
	char percent_after;
	bool paints;
} steps[] = { { "LoadForked", 45, false }, { "PrepareForked", 55, false }, { "StoreForked", 0, true } };

static struct places readable;

void allow_reading(const char *path)
{
	/* Optional paths may be missing on this system. */
	if (access(path, R_OK) == 0)
		add_place(&readable, path, READ);
}

static void separate_from_parent(int channel, pid_t parent)
{
	if (prctl(PR_SET_PDEATHSIG, SIGKILL) || getppid() != parent)
		_exit(1);
	if (setsid() < 0)
		fail("cannot start a session: %s", strerror(errno));
	prctl(PR_SET_NAME, "kiln-document");
	separate_descriptors(channel);
	become_forked();
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		fail("cannot give up new privileges: %s", strerror(errno));
	refuse_system_calls();
}

static void limit(int resource, const char *text, rlim_t grace)
{
	rlim_t value = strtoull(text, NULL, 10);
	struct rlimit both = { value, value + grace };
	if (setrlimit(resource, &both))
		fail("cannot set limit %d: %s", resource, strerror(errno));
}

static void lock_in(const char *folder)
{
	if (chdir(folder))
		fail("cannot enter the job's folder: %s", strerror(errno));
	int log = open("log", O_WRONLY | O_CREAT | O_EXCL | O_APPEND, 0600);
	if (log < 0 || dup2(log, STDOUT_FILENO) < 0 || dup2(log, STDERR_FILENO) < 0)
		fail("cannot open the job's log: %s", strerror(errno));
	close(log);
	make_temporary_folders();
	struct places places = readable;
	add_place(&places, "in", READ);
	add_place(&places, "out", WRITE);
	add_place(&places, "tmp", WRITE);
	add_place(&places, "/dev/null", DEVICE);
	add_place(&places, "/dev/urandom", DEVICE);
	restrict_files(&places);
}

void be_child(int channel, pid_t parent)
{
	struct message job;
	separate_from_parent(channel, parent);
	use_child_heap();
	if (!read_message(channel, &job) || job.fields < 4)
		_exit(0);
	/* FOLDER CPU-SECONDS MEMORY-BYTES FILE-BYTES NAME=VALUE… */
	lock_in(job.field[0]);
	limit(RLIMIT_CPU, job.field[1], 1);
	limit(RLIMIT_AS, job.field[2], 0);
	limit(RLIMIT_FSIZE, job.field[3], 0);
	limit(RLIMIT_CORE, "0", 0);
	for (int i = 4; i < job.fields; i++) {
		if (putenv(job.field[i]))
			fail("cannot set the plan");
	}
	if (write(channel, &(char){ LOCKED_IN }, 1) < 0)
		_exit(1);
	const char *font_rules = getenv("KILN_FONT_RULES");
	if (font_rules && *font_rules)
		read_font_rules(font_rules);
	for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
		if (steps[i].paints)
			paint_controls();
		run_procedure(steps[i].procedure);
		if (write(channel, &steps[i].percent_after, 1) < 0)
			_exit(1);
	}
	for (;;)
		pause();
}
