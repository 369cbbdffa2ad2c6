/*
 * kiln-jail: runs one program in a sandbox made of Landlock, seccomp and resource limits. It needs no
 * privilege and no namespace, so it works where bubblewrap does not, such as in an ordinary container.
 *
 *   kiln-jail --status FD --seccomp FD [--abi N] [--read | --write | --device | --socket PATH]...
 *             --as BYTES --cpu SECONDS --fsize BYTES --nproc N --nofile N -- PROGRAM [ARGUMENT]...
 *
 * Two processes. The supervisor leads the process group and waits. The child locks itself in and becomes
 * the program. When the program ends, the supervisor writes "exit N" or "signal N" to the status
 * descriptor and kills the whole group, itself included: nothing that the program started is left, because
 * the filter refuses setsid and setpgid and so no process can have left the group. When the service dies, the
 * kernel signals the supervisor, which then kills the group as well.
 *
 * --nproc is how many processes and threads there may be besides those that its user has at the moment: the
 * kernel counts per user.
 *
 * No status line means that the sandbox was never built; the reason is on stderr.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "confine.h"

enum { NOT_BUILT = 125 };

static void kill_group(int signal_number)
{
	(void)signal_number;
	kill(0, SIGKILL);
}

static unsigned long long number(const char *option, const char *text)
{
	char *end;
	errno = 0;
	unsigned long long value = strtoull(text, &end, 10);
	if (errno || end == text || *end)
		fail("%s wants a number, not \"%s\"", option, text);
	return value;
}

static void limit(int resource, rlim_t soft, rlim_t hard)
{
	struct rlimit both = { soft, hard };
	if (setrlimit(resource, &both))
		fail("cannot set limit %d: %s", resource, strerror(errno));
}

struct limits {
	rlim_t memory, cpu, file, processes, files;
};

/*
 * The number of tasks that the kernel counts for this user. It includes those of every container on the machine that
 * runs as the same user, which /proc does not show; but fork succeeds only below the limit, so a search over
 * different limits finds the number.
 */
static rlim_t tasks_of_user(void)
{
	struct rlimit before;
	if (getrlimit(RLIMIT_NPROC, &before))
		fail("cannot read the limit of processes: %s", strerror(errno));
	const rlim_t most = 1 << 22;
	rlim_t low = 1, high = before.rlim_max < most ? before.rlim_max : most;
	while (low < high) {
		rlim_t middle = low + (high - low) / 2;
		limit(RLIMIT_NPROC, middle, before.rlim_max);
		pid_t tried = fork();
		if (tried == 0)
			_exit(0);
		if (tried > 0) {
			while (waitpid(tried, NULL, 0) < 0 && errno == EINTR)
				;
			high = middle;
		} else {
			low = middle + 1;
		}
	}
	limit(RLIMIT_NPROC, before.rlim_cur, before.rlim_max);
	/* The minimum limit that permits one more task. */
	return low - 1;
}

static void set_limits(const struct limits *limits)
{
	rlim_t processes = tasks_of_user() + limits->processes;
	limit(RLIMIT_AS, limits->memory, limits->memory);
	/* SIGXCPU at the soft limit, which is distinct from other exits; SIGKILL a second later. */
	limit(RLIMIT_CPU, limits->cpu, limits->cpu + 1);
	limit(RLIMIT_FSIZE, limits->file, limits->file);
	limit(RLIMIT_NPROC, processes, processes);
	limit(RLIMIT_NOFILE, limits->files, limits->files);
	limit(RLIMIT_CORE, 0, 0);
}

/* Waits for the child, and reports its exit status if it had become the program. */
static void supervise(pid_t child, int exec_pipe, int status_descriptor)
{
	char unbuilt;
	ssize_t failed;
	do {
		failed = read(exec_pipe, &unbuilt, 1);
	} while (failed < 0 && errno == EINTR);

	/* Orphans become our children: they stay below us in the process tree, where the service looks for them. */
	int status;
	for (pid_t ended = 0; ended != child;) {
		ended = waitpid(-1, &status, 0);
		if (ended < 0 && errno != EINTR)
			kill_group(0);
	}
	if (failed == 0) {
		if (WIFEXITED(status))
			dprintf(status_descriptor, "exit %d\n", WEXITSTATUS(status));
		else
			dprintf(status_descriptor, "signal %d\n", WTERMSIG(status));
	}
	kill_group(0);
}

int main(int argc, char **argv)
{
	struct limits limits = { 0 };
	struct places places = { 0 };
	int status_descriptor = -1, filter_descriptor = -1, at = 1;

	for (; at + 1 < argc && strcmp(argv[at], "--"); at += 2) {
		const char *option = argv[at], *value = argv[at + 1];
		if (!strcmp(option, "--read"))
			add_place(&places, value, READ);
		else if (!strcmp(option, "--write"))
			add_place(&places, value, WRITE);
		else if (!strcmp(option, "--device"))
			add_place(&places, value, DEVICE);
		else if (!strcmp(option, "--socket"))
			add_place(&places, value, SOCKET);
		else if (!strcmp(option, "--abi"))
			assume_landlock_abi((int)number(option, value));
		else if (!strcmp(option, "--status"))
			status_descriptor = (int)number(option, value);
		else if (!strcmp(option, "--seccomp"))
			filter_descriptor = (int)number(option, value);
		else if (!strcmp(option, "--as"))
			limits.memory = number(option, value);
		else if (!strcmp(option, "--cpu"))
			limits.cpu = number(option, value);
		else if (!strcmp(option, "--fsize"))
			limits.file = number(option, value);
		else if (!strcmp(option, "--nproc"))
			limits.processes = number(option, value);
		else if (!strcmp(option, "--nofile"))
			limits.files = number(option, value);
		else
			fail("unknown option %s", option);
	}
	if (at + 1 >= argc || status_descriptor < 0 || filter_descriptor < 0 || !limits.memory || !limits.cpu ||
	    !limits.file || !limits.processes || !limits.files)
		fail("needs --status, --seccomp, every limit, -- and a program");
	char **program = argv + at + 1;

	pid_t service = getppid();
	/* The group is killed as a whole, so no other process may be in it. */
	if (getpgrp() != getpid() && setpgid(0, 0))
		fail("cannot lead a process group: %s", strerror(errno));
	signal(SIGTERM, kill_group);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	if (getppid() != service)
		return NOT_BUILT;

	int exec_pipe[2];
	if (pipe2(exec_pipe, O_CLOEXEC))
		fail("pipe: %s", strerror(errno));
	pid_t supervisor = getpid();
	pid_t child = fork();
	if (child < 0)
		fail("fork: %s", strerror(errno));
	if (child > 0) {
		close(exec_pipe[1]);
		supervise(child, exec_pipe[0], status_descriptor);
		return NOT_BUILT;
	}

	on_failure_write_to(exec_pipe[1]);
	signal(SIGTERM, SIG_DFL);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != supervisor)
		_exit(NOT_BUILT);
	set_limits(&limits);
	confine(&places, filter_descriptor);
	/* Descriptors that the service itself inherited must not reach the program. */
	if (syscall(SYS_close_range, 3, ~0U, 4 /* CLOSE_RANGE_CLOEXEC */))
		fail("cannot close what was inherited: %s", strerror(errno));
	execv(program[0], program);
	fail("cannot start %s: %s", program[0], strerror(errno));
}
