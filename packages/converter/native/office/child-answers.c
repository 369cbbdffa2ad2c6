#define _GNU_SOURCE
#include "child-answers.h"

#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "frames.h"

void answer_not_started(const char *id, const char *why, int answers)
{
	struct outgoing message = { .length = 0 };
	add_field(&message, "refused");
	add_field(&message, "%s", id);
	add_field(&message, "%s", why);
	write_message(answers, message.bytes, message.length);
}

void answer_started(const struct child *child, int answers)
{
	struct outgoing message = { .length = 0 };
	add_field(&message, "started");
	add_field(&message, "%s", child->id);
	add_field(&message, "%d", child->process);
	write_message(answers, message.bytes, message.length);
}

static long own_memory_kilobytes(void)
{
	long total = 0, resident = 0, shared = 0;
	FILE *file = fopen("/proc/self/statm", "r");
	if (file) {
		if (fscanf(file, "%ld %ld %ld", &total, &resident, &shared) != 3)
			resident = shared = 0;
		fclose(file);
	}
	return (resident - shared) * (sysconf(_SC_PAGESIZE) / 1024);
}

void answer_finished(const struct child *child, int status, long cpu_milliseconds, int answers)
{
	struct outgoing message = { .length = 0 };
	add_field(&message, "finished");
	add_field(&message, "%s", child->id);
	if (child->killed_for)
		add_field(&message, "%s", child->killed_for);
	else if (child->done)
		add_field(&message, "done");
	else if (!child->locked_in)
		add_field(&message, "unbuilt");
	else
		add_field(&message, WIFSIGNALED(status) ? "signal" : "exit");
	add_field(&message, "%d", WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
	add_field(&message, "%ld", own_memory_kilobytes());
	add_field(&message, "%ld", cpu_milliseconds);
	write_message(answers, message.bytes, message.length);
}

void answer_progress(const struct child *child, int answers)
{
	struct outgoing message = { .length = 0 };
	add_field(&message, "progress");
	add_field(&message, "%s", child->id);
	add_field(&message, "%d", child->percent);
	write_message(answers, message.bytes, message.length);
}
