/*
 * In the place of LibreOffice: a library that does to its process what a document that has taken it over would.
 * KILN_SOURCE names the deed, with its arguments after colons; what came of it goes into the report.
 */
#define _GNU_SOURCE
#define LOK_USE_UNSTABLE_API
#include <LibreOfficeKit/LibreOfficeKit.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

static void report(const char *text)
{
	int file = open(getenv("KILN_REPORT"), O_WRONLY | O_CREAT | O_TRUNC, 0600);
	if (file < 0 || write(file, text, strlen(text)) < 0)
		_exit(9);
	close(file);
}

static void *nothing(void *data)
{
	return data;
}

static long make_process(void)
{
	long made = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
	if (made == 0)
		_exit(0);
	return made;
}

static int start_thread(void)
{
	pthread_t thread;
	int failed = pthread_create(&thread, NULL, nothing, NULL);
	if (!failed)
		pthread_join(thread, NULL);
	errno = failed;
	return failed ? -1 : 0;
}

/* Lists what every open descriptor above stderr is, and whether it can be written. */
static void list_descriptors(char *text, size_t room)
{
	size_t used = 0;
	text[0] = '\0';
	for (int each = 3; each < 512 && used < room; each++) {
		struct stat status;
		int flags = fcntl(each, F_GETFL);
		if (flags < 0 || fstat(each, &status))
			continue;
		const char *kind = S_ISREG(status.st_mode)    ? "file"
				   : S_ISSOCK(status.st_mode) ? "socket"
				   : S_ISCHR(status.st_mode)  ? "device"
				   : S_ISFIFO(status.st_mode) ? "pipe"
							      : "other";
		used += (size_t)snprintf(text + used, room - used, "%s-%s ", kind,
					 (flags & O_ACCMODE) == O_RDONLY ? "read" : "write");
	}
}

static long attempt(const char *deed, const char *argument)
{
	pid_t process = (pid_t)atoi(argument);
	struct rlimit limit = { 1, 1 };
	if (!strcmp(deed, "read"))
		return open(argument, O_RDONLY);
	if (!strcmp(deed, "list"))
		return open(argument, O_RDONLY | O_DIRECTORY);
	if (!strcmp(deed, "write"))
		return open(argument, O_WRONLY | O_CREAT, 0600);
	if (!strcmp(deed, "remove"))
		return unlink(argument);
	if (!strcmp(deed, "mode"))
		return chmod(argument, 0);
	if (!strcmp(deed, "mode-of-open"))
		return fchmod(open(argument, O_RDONLY | O_DIRECTORY), 0);
	if (!strcmp(deed, "owner"))
		return chown(argument, (uid_t)-1, getgid());
	if (!strcmp(deed, "times"))
		return utimensat(AT_FDCWD, argument, NULL, 0);
	if (!strcmp(deed, "cut"))
		return truncate(argument, 0);
	/* Of no file: only a call that is not made succeeds. */
	if (!strcmp(deed, "flush"))
		return fsync(-1) | fdatasync(-1);
	if (!strcmp(deed, "kill"))
		return kill(process, SIGKILL);
	if (!strcmp(deed, "queue-signal"))
		return syscall(SYS_rt_sigqueueinfo, process, SIGTERM, &(siginfo_t){ .si_code = SI_QUEUE });
	if (!strcmp(deed, "thread-kill"))
		return syscall(SYS_tgkill, process, process, SIGKILL);
	if (!strcmp(deed, "trace"))
		return ptrace(PTRACE_ATTACH, process, NULL, NULL);
	if (!strcmp(deed, "limit"))
		return prlimit(process, RLIMIT_CPU, &limit, NULL);
	if (!strcmp(deed, "priority"))
		return setpriority(PRIO_PROCESS, (id_t)process, 19);
	if (!strcmp(deed, "socket"))
		return socket(process, SOCK_STREAM, 0);
	if (!strcmp(deed, "shared-memory"))
		return shmget(1234, 4096, IPC_CREAT | 0666);
	if (!strcmp(deed, "session"))
		return setsid();
	if (!strcmp(deed, "process"))
		return make_process();
	if (!strcmp(deed, "thread"))
		return start_thread();
	if (!strcmp(deed, "program"))
		return execl("/usr/bin/true", "true", NULL);
	errno = EINVAL;
	return -1;
}

static void misbehave(const char *deed, const char *argument)
{
	if (!strcmp(deed, "crash"))
		raise(SIGSEGV);
	if (!strcmp(deed, "abort"))
		abort();
	if (!strcmp(deed, "exit"))
		_exit(atoi(argument));
	if (!strcmp(deed, "hang"))
		for (;;)
			pause();
	if (!strcmp(deed, "close-channel-and-hang")) {
		/* Whatever descriptor the channel is. */
		for (int each = 3; each < 64; each++)
			close(each);
		for (;;)
			pause();
	}
	if (!strcmp(deed, "burn"))
		for (volatile long i = 0;; i++)
			;
	if (!strcmp(deed, "say-done-and-go-on")) {
		/* Whatever descriptor the channel is. */
		for (int each = 3; each < 64; each++)
			if (write(each, "", 1) < 0)
				continue;
		for (int i = 0;; i++) {
			FILE *file = fopen(getenv("KILN_TARGET"), "w");
			if (file) {
				fprintf(file, "%d", i);
				fclose(file);
			}
		}
	}
	if (!strcmp(deed, "fill-memory")) {
		for (;;) {
			char *more = malloc(16 << 20);
			if (!more) {
				fputs("std::bad_alloc\n", stderr);
				abort();
			}
			memset(more, 1, 16 << 20);
		}
	}
	if (!strcmp(deed, "fill-disk")) {
		static char block[1 << 20];
		for (int number = 0;; number++) {
			char name[64];
			snprintf(name, sizeof name, "/proc/self/cwd/tmp/file%d", number);
			int file = open(name, O_WRONLY | O_CREAT, 0600);
			for (int i = 0; i < 64 && file >= 0; i++)
				if (write(file, block, sizeof block) < 0)
					break;
			close(file);
		}
	}
	/* Files that have no name any more. */
	if (!strcmp(deed, "fill-disk-unnamed")) {
		static char block[1 << 20];
		int folder = open(argument, O_PATH);
		for (int number = 0;; number++) {
			int file = openat(folder, "file", O_WRONLY | O_CREAT, 0600);
			unlinkat(folder, "file", 0);
			for (int i = 0; i < 64 && file >= 0; i++)
				if (write(file, block, sizeof block) < 0)
					break;
			if (file < 0)
				pause();
		}
	}
	if (!strcmp(deed, "flood-log"))
		for (int i = 0; i < 200000; i++)
			fputs("words without end, words without end\n", stderr);
}

static int run_macro(LibreOfficeKit *kit, const char *url)
{
	(void)kit;
	if (!strstr(url, "LoadForked"))
		return 1;
	char deed[512], text[4096];
	snprintf(deed, sizeof deed, "%s", getenv("KILN_SOURCE"));
	char *argument = strchr(deed, ':');
	if (argument)
		*argument++ = '\0';
	else
		argument = deed + strlen(deed);
	if (!strcmp(deed, "wait")) {
		/* Leaves something worth stealing, says who it is, and waits to be robbed. */
		int file = open("/proc/self/cwd/tmp/secret", O_WRONLY | O_CREAT, 0666);
		if (file < 0 || write(file, "secret", 6) < 0)
			_exit(8);
		close(file);
		snprintf(text, sizeof text, "%d", getpid());
		file = open("/proc/self/cwd/out/who", O_WRONLY | O_CREAT, 0666);
		if (file < 0 || write(file, text, strlen(text)) < 0)
			_exit(7);
		close(file);
		usleep((useconds_t)atoi(argument) * 1000);
		report("done waiting");
		return 1;
	}
	if (!strcmp(deed, "descriptors")) {
		list_descriptors(text, sizeof text);
		report(text);
		return 1;
	}
	misbehave(deed, argument);
	errno = 0;
	long result = attempt(deed, argument);
	snprintf(text, sizeof text, "%s", result >= 0 ? "done" : strerrorname_np(errno));
	report(text);
	return 1;
}

static void run_loop(LibreOfficeKit *kit, LibreOfficeKitPollCallback poll, LibreOfficeKitWakeCallback wake, void *data)
{
	(void)kit;
	(void)wake;
	for (;;)
		poll(data, -1);
}

static char *version(LibreOfficeKit *kit)
{
	(void)kit;
	return strdup("hostile");
}

LibreOfficeKit *libreofficekit_hook_2(const char *installation, const char *profile)
{
	static LibreOfficeKitClass class;
	static LibreOfficeKit kit = { &class };
	(void)installation;
	(void)profile;
	class.nSize = offsetof(LibreOfficeKitClass, sendDialogEvent);
	class.runMacro = run_macro;
	class.runLoop = run_loop;
	class.getVersionInfo = version;
	/* Like LibreOffice: a file that it keeps open for writing, and another for reading. */
	if (open("tmp/kept-open", O_RDWR | O_CREAT, 0600) < 0 || open("/usr/bin/true", O_RDONLY) < 0)
		return NULL;
	return &kit;
}
