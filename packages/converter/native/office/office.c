/*
 * kiln-office: a LibreOffice that has started already, and forks a fresh process for every document.
 *
 *   kiln-office INSTALLATION PROFILE-URL READABLE-PATH...
 *
 * It never opens a user's file. It warms up with samples of Kiln's own: what LibreOffice loads and computes once,
 * every child inherits. Children run the same Basic program that a cold LibreOffice runs
 * (Standard.Convert in the profile), with the plan in the environment, so both ways give the same pages.
 *
 * The protocol, on stdin and stdout. A message is four bytes of length, least significant first, and fields that
 * each end with a NUL.
 *   requests
 *     warm NAME=VALUE…         convert a warm-up document in this process; answered by `warmed`
 *     serve SPARES             end the warm-up and keep this number of children waiting; answered by `ready`
 *     convert ID FOLDER WALL-MILLISECONDS CPU-SECONDS MEMORY-BYTES FILE-BYTES NAME=VALUE…
 *                              FOLDER contains in/, out/ and tmp/; answered by `finished` or `refused`
 *     spares SPARES            keep another number of children waiting
 *     cancel ID                kill that child; it is still answered by `finished`
 *   answers
 *     warmed
 *     ready VERSION
 *     started ID PROCESS       the child that converts the document, by its id in this PID namespace
 *     progress ID PERCENT      progress of the document; never decreases
 *     finished ID ENDING CODE MEMORY-KB CPU-MS
 *                              ENDING is done, exit, signal, deadline, stuck, cancelled, or unbuilt (the child
 *                              could not confine itself, so this server is unusable); CODE is the exit status or
 *                              the signal; MEMORY-KB is the private memory of this process, not of the child
 *     refused ID REASON        no child could be created; nothing was converted
 * At the end of stdin this process and all its children exit.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "../jail/confine.h"
#include "child-heap.h"
#include "child.h"
#include "children.h"
#include "frames.h"
#include "huge-pages.h"
#include "libreoffice.h"
#include "temporary-folders.h"

static int requests, answers;

static void say(const char *word, const char *text)
{
	struct outgoing message = { .length = 0 };
	add_field(&message, "%s", word);
	if (text)
		add_field(&message, "%s", text);
	if (!write_message(answers, message.bytes, message.length))
		_exit(0);
}

static void warm_up(const struct message *message)
{
	for (int i = 1; i < message->fields; i++) {
		char *value = strchr(message->field[i], '=');
		if (!value)
			fail("malformed plan");
		*value = '\0';
		if (setenv(message->field[i], value + 1, 1))
			fail("cannot set the plan");
	}
	run_procedure("WarmUp");
	say("warmed", NULL);
}

static void handle(const struct message *message)
{
	const char *word = message->field[0];
	if (!strcmp(word, "warm")) {
		warm_up(message);
	} else if (!strcmp(word, "serve") && message->fields == 2) {
		remember_temporary_folders();
		join_threads();
		use_huge_pages();
		prepare_child_heap();
		keep_spares(atoi(message->field[1]));
		say("ready", libreoffice_version());
	} else if (!strcmp(word, "spares") && message->fields == 2) {
		keep_spares(atoi(message->field[1]));
	} else if (!strcmp(word, "convert")) {
		convert(message, answers);
	} else if (!strcmp(word, "cancel") && message->fields == 2) {
		cancel(message->field[1]);
	} else {
		fail("unknown request %s", word);
	}
}

static void serve(void)
{
	struct pollfd list[MOST_CHILDREN + 1];
	for (;;) {
		int listed = list_channels(list + 1);
		list[0] = (struct pollfd){ .fd = requests, .events = POLLIN };
		if (poll(list, (nfds_t)listed + 1, milliseconds_to_next_step()) < 0 && errno != EINTR)
			fail("poll: %s", strerror(errno));
		if (list[0].revents) {
			struct message message;
			if (!read_message(requests, &message))
				_exit(0);
			handle(&message);
			free_message(&message);
		}
		look_after_children(list + 1, listed, answers);
	}
}

int main(int argc, char **argv)
{
	if (argc < 3)
		fail("needs the installation of LibreOffice, a profile and the paths that children may read");
	/* LibreOffice's own output must not mix with the messages. */
	requests = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
	answers = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
	int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
	if (requests < 0 || answers < 0 || nothing < 0 || dup2(nothing, STDIN_FILENO) < 0 ||
	    dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
		fail("cannot arrange descriptors: %s", strerror(errno));
	signal(SIGPIPE, SIG_IGN);
	for (int i = 3; i < argc; i++)
		allow_reading(argv[i]);
	run_libreoffice(argv[1], argv[2], serve);
}
