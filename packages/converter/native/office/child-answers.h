/* The server's messages about a document and the child that converts it. */
#ifndef CHILD_ANSWERS_H
#define CHILD_ANSWERS_H

#include <stdbool.h>
#include <sys/types.h>

struct child {
	pid_t process;
	int channel;
	/* Empty for a spare child. */
	char id[64];
	long long deadline;
	/* CPU time at the last increase that was seen, and the time of that increase. */
	long long taken, moved;
	char percent;
	bool locked_in, done;
	const char *killed_for;
};

void answer_not_started(const char *id, const char *why, int answers);
void answer_started(const struct child *child, int answers);
void answer_progress(const struct child *child, int answers);
void answer_finished(const struct child *child, int status, long cpu_milliseconds, int answers);

#endif
