/*
 * A child is forked in advance and waits (spare), gets a document (at work), and exits: by itself, at its deadline, or
 * because its document was cancelled; the last two by SIGKILL. A child sends a byte when it is confined, and then its
 * progress, which is forwarded when it has increased. A zero means that it is done. It is then killed as well: a
 * compromised child gets no time after the result. The result is forwarded only after the child has exited, which the
 * end of its channel shows: no process writes to the job's directory any more.
 *
 * A conversion never waits for anything, so a child that uses no CPU time hangs: a lock that a thread of the parent held
 * at the fork is never released. Such a child is killed long before its deadline, through no fault of its document.
 */
#define _GNU_SOURCE
#include "children.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../jail/confine.h"
#include "child-answers.h"
#include "child.h"
#include "frames.h"

/* Long enough for a busy machine; a working child uses more CPU time than this in that period. */
enum { STUCK_MILLISECONDS = 10000, STUCK_PROCESSOR_MILLISECONDS = 5, LOOK_MILLISECONDS = STUCK_MILLISECONDS / 4 };

static struct child children[MOST_CHILDREN];
static int count, wanted_spares;

static long long now(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1000LL + time.tv_nsec / 1000000;
}

static bool is_spare(const struct child *child)
{
	return child->id[0] == '\0';
}

static int spares(void)
{
	int found = 0;
	for (int i = 0; i < count; i++)
		found += is_spare(&children[i]);
	return found;
}

static struct child *fork_child(void)
{
	int pair[2];
	if (count == MOST_CHILDREN)
		return NULL;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair))
		fail("socketpair: %s", strerror(errno));
	pid_t parent = getpid();
	pid_t process = fork();
	if (process < 0) {
		close(pair[0]);
		close(pair[1]);
		return NULL;
	}
	if (process == 0)
		be_child(pair[1], parent);
	close(pair[1]);
	children[count] = (struct child){ .process = process, .channel = pair[0] };
	return &children[count++];
}

static void fork_spares(void)
{
	for (int missing = wanted_spares - spares(); missing > 0; missing--)
		fork_child();
}

void keep_spares(int number)
{
	wanted_spares = number;
	fork_spares();
}

static struct child *take_child(void)
{
	for (int i = 0; i < count; i++) {
		if (is_spare(&children[i]))
			return &children[i];
	}
	return fork_child();
}

void convert(const struct message *message, int answers)
{
	if (message->fields < 7 || strlen(message->field[1]) == 0 || strlen(message->field[1]) >= sizeof children->id) {
		answer_not_started(message->fields > 1 ? message->field[1] : "", "malformed", answers);
		return;
	}
	const char *id = message->field[1];
	struct child *child = take_child();
	if (!child) {
		answer_not_started(id, "no process can be made", answers);
		return;
	}
	strcpy(child->id, id);
	child->moved = now();
	child->deadline = child->moved + atoll(message->field[3]);
	/* The child gets the folder and the fields after the deadline. */
	size_t folder_length = strlen(message->field[2]) + 1;
	size_t rest_length = message->length - (size_t)(message->field[4] - message->bytes);
	char *job = malloc(folder_length + rest_length);
	if (!job)
		fail("out of memory");
	memcpy(job, message->field[2], folder_length);
	memcpy(job + folder_length, message->field[4], rest_length);
	/* If it has already died, the end of its channel is reported next. */
	write_message(child->channel, job, folder_length + rest_length);
	free(job);
	answer_started(child, answers);
}

static void kill_for(struct child *child, const char *reason)
{
	if (!child->killed_for)
		child->killed_for = reason;
	kill(child->process, SIGKILL);
}

void cancel(const char *id)
{
	for (int i = 0; i < count; i++) {
		if (!strcmp(children[i].id, id) && !is_spare(&children[i]) && !children[i].done)
			kill_for(&children[i], "cancelled");
	}
}

int list_channels(struct pollfd *list)
{
	for (int i = 0; i < count; i++)
		list[i] = (struct pollfd){ .fd = children[i].channel, .events = POLLIN };
	return count;
}

int milliseconds_to_next_step(void)
{
	long long nearest = -1, time = now();
	for (int i = 0; i < count; i++) {
		if (is_spare(&children[i]) || children[i].killed_for)
			continue;
		long long left = children[i].deadline > time ? children[i].deadline - time : 0;
		if (left > LOOK_MILLISECONDS)
			left = LOOK_MILLISECONDS;
		if (nearest < 0 || left < nearest)
			nearest = left;
	}
	return (int)nearest;
}

static long long processor_milliseconds(pid_t process)
{
	clockid_t clock;
	struct timespec time;
	if (clock_getcpuclockid(process, &clock) || clock_gettime(clock, &time))
		return 0;
	return time.tv_sec * 1000LL + time.tv_nsec / 1000000;
}

static void watch_processor_time(struct child *child, long long time)
{
	long long taken = processor_milliseconds(child->process);
	if (taken > child->taken + STUCK_PROCESSOR_MILLISECONDS) {
		child->taken = taken;
		child->moved = time;
	} else if (time >= child->moved + STUCK_MILLISECONDS && !child->killed_for && !child->done) {
		kill_for(child, "stuck");
	}
}

static long milliseconds(const struct timeval *time)
{
	return time->tv_sec * 1000 + time->tv_usec / 1000;
}

/* Returns true if the child has exited and was removed from the table. */
static bool hear(struct child *child, int answers)
{
	char byte;
	ssize_t got = read(child->channel, &byte, 1);
	if (got > 0 && !is_spare(child) && !child->done && !child->killed_for) {
		if (byte == LOCKED_IN) {
			child->locked_in = true;
		} else if (byte == 0) {
			child->done = true;
			kill(child->process, SIGKILL);
		} else if (byte > child->percent && byte <= 100) {
			child->percent = byte;
			answer_progress(child, answers);
		}
		return false;
	}
	if (got > 0 || (got < 0 && errno == EINTR))
		return false;
	/* A compromised child may have closed its channel and still run. A child that has already exited keeps its status. */
	kill(child->process, SIGKILL);
	int status;
	struct rusage used;
	while (wait4(child->process, &status, 0, &used) < 0) {
		if (errno != EINTR)
			fail("lost a child: %s", strerror(errno));
	}
	close(child->channel);
	if (!is_spare(child))
		answer_finished(child, status, milliseconds(&used.ru_utime) + milliseconds(&used.ru_stime), answers);
	return true;
}

void look_after_children(const struct pollfd *list, int listed, int answers)
{
	long long time = now();
	/* From the end, because the last child takes the slot of a removed one. */
	for (int i = count - 1; i >= 0; i--) {
		struct child *child = &children[i];
		if (!is_spare(child) && time >= child->deadline && !child->killed_for && !child->done)
			kill_for(child, "deadline");
		if (!is_spare(child))
			watch_processor_time(child, time);
		if (i < listed && list[i].fd == child->channel && list[i].revents && hear(child, answers))
			*child = children[--count];
	}
	fork_spares();
}
