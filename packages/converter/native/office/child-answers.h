/* What the server tells of a document and the child that has it. */
#ifndef CHILD_ANSWERS_H
#define CHILD_ANSWERS_H

#include <stdbool.h>
#include <sys/types.h>

struct child {
	pid_t process;
	int channel;
	/* Where the kernel shares the processor among sessions first: the weight of the child's session. */
	int weight;
	/* Empty for a spare one. */
	char id[64];
	long long deadline;
	/* The processor time that it had taken when it was last seen to take any, and when that was. */
	long long taken, moved;
	char percent;
	bool locked_in, done, stands_back;
	/* Its document is a sample of ours, which shows what memory documents need. */
	bool rehearses;
	const char *killed_for;
};

void answer_not_started(const char *id, const char *why, int answers);
void answer_started(const struct child *child, int answers);
void answer_progress(const struct child *child, int answers);
void answer_finished(const struct child *child, int status, long cpu_milliseconds, int answers);

#endif
