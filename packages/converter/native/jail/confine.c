#define _GNU_SOURCE
#include "confine.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static int failure_descriptor = -1;

void on_failure_write_to(int descriptor)
{
	failure_descriptor = descriptor;
}

void fail(const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	fprintf(stderr, "%s: ", program_invocation_short_name);
	vfprintf(stderr, format, arguments);
	fputc('\n', stderr);
	va_end(arguments);
	if (failure_descriptor >= 0 && write(failure_descriptor, "!", 1) < 0)
		_exit(126);
	_exit(125);
}

void add_place(struct places *places, const char *path, enum access access)
{
	if (places->count == (int)(sizeof places->list / sizeof *places->list))
		fail("too many places");
	places->list[places->count++] = (struct place){ path, access };
}

/*
 * Landlock. Rights that the running kernel does not know are left out by its ABI number:
 * 1 files, 2 moving between folders, 3 truncation, 4 TCP, 5 device controls, 6 signals and abstract sockets.
 * The numbers are written out, since the system's header may be older than its kernel.
 */
#define FS_ALL_OF_ABI_1 ((UINT64_C(1) << 13) - 1)
#define FS_REFER (UINT64_C(1) << 13)
#define FS_TRUNCATE (UINT64_C(1) << 14)
#define FS_IOCTL_DEV (UINT64_C(1) << 15)
#define FS_MAKE_CHAR (UINT64_C(1) << 6)
#define FS_MAKE_FIFO (UINT64_C(1) << 10)
#define FS_MAKE_BLOCK (UINT64_C(1) << 11)
#define NET_BIND_AND_CONNECT_TCP UINT64_C(3)
#define SCOPE_SOCKETS_AND_SIGNALS UINT64_C(3)

struct ruleset {
	uint64_t files, network, scopes;
};

static const uint64_t readable = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
static const uint64_t unmakeable = FS_MAKE_CHAR | FS_MAKE_BLOCK | FS_MAKE_FIFO | FS_IOCTL_DEV;
/* The rights that a rule for a file, as opposed to a directory, may contain. */
static const uint64_t of_files =
	LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE | FS_TRUNCATE | FS_IOCTL_DEV;

static uint64_t rights(enum access access, uint64_t handled)
{
	switch (access) {
	case READ:
		return readable & handled;
	case WRITE:
		return handled & ~unmakeable;
	case DEVICE:
		return handled & of_files & ~(uint64_t)LANDLOCK_ACCESS_FS_EXECUTE;
	case SOCKET:
		return LANDLOCK_ACCESS_FS_MAKE_SOCK;
	}
	return 0;
}

static int add_rule(int ruleset, int place, uint64_t allowed)
{
	struct landlock_path_beneath_attr rule = { .allowed_access = allowed, .parent_fd = place };
	return (int)syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
}

static int newest_abi = 1000;

void assume_landlock_abi(int abi)
{
	newest_abi = abi;
}

int restrict_files(const struct places *places)
{
	int abi = (int)syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
	if (abi < 1)
		fail("this kernel has no Landlock: %s", strerror(errno));
	if (abi > newest_abi)
		abi = newest_abi;
	struct ruleset rules = {
		.files = FS_ALL_OF_ABI_1 | (abi >= 2 ? FS_REFER : 0) | (abi >= 3 ? FS_TRUNCATE : 0) | (abi >= 5 ? FS_IOCTL_DEV : 0),
		.network = abi >= 4 ? NET_BIND_AND_CONNECT_TCP : 0,
		.scopes = abi >= 6 ? SCOPE_SOCKETS_AND_SIGNALS : 0,
	};
	size_t size = abi >= 6 ? sizeof rules : abi >= 4 ? offsetof(struct ruleset, scopes) : offsetof(struct ruleset, network);
	int ruleset = (int)syscall(SYS_landlock_create_ruleset, &rules, size, 0);
	if (ruleset < 0)
		fail("cannot make a Landlock ruleset: %s", strerror(errno));
	for (int i = 0; i < places->count; i++) {
		int place = open(places->list[i].path, O_PATH | O_CLOEXEC);
		if (place < 0)
			fail("cannot reach a place of the sandbox: %s", strerror(errno));
		uint64_t allowed = rights(places->list[i].access, rules.files);
		/* The kernel rejects directory rights for a file; in this case the rule is added without them. */
		if (add_rule(ruleset, place, allowed) && add_rule(ruleset, place, allowed & of_files))
			fail("cannot add a Landlock rule: %s", strerror(errno));
		close(place);
	}
	if (syscall(SYS_landlock_restrict_self, ruleset, 0))
		fail("cannot apply Landlock: %s", strerror(errno));
	close(ruleset);
	return abi;
}

void apply_filter(struct sock_filter *program, size_t length)
{
	struct sock_fprog filter = { .len = (unsigned short)length, .filter = program };
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter))
		fail("cannot apply the system call filter: %s", strerror(errno));
}

static void filter_from(int descriptor)
{
	static struct sock_filter program[1024];
	size_t bytes = 0;
	ssize_t got;
	while ((got = read(descriptor, (char *)program + bytes, sizeof program - bytes)) > 0)
		bytes += (size_t)got;
	/* A filter that fills the whole buffer may be truncated. */
	if (got < 0 || bytes == 0 || bytes == sizeof program || bytes % sizeof *program)
		fail("cannot read the system call filter");
	apply_filter(program, bytes / sizeof *program);
}

/*
 * Kernels before Landlock ABI 6 let the sandbox signal any process of the same user. There, no process of the
 * sandbox may signal another, and the first may signal its own threads (abort does).
 */
static void refuse_signals_to_others(void)
{
#define REFUSE(call) \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (call), 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM)
	struct sock_filter program[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		REFUSE(SYS_kill),
		REFUSE(SYS_tkill),
		REFUSE(SYS_rt_sigqueueinfo),
		REFUSE(SYS_rt_tgsigqueueinfo),
		REFUSE(SYS_pidfd_send_signal),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_tgkill, 0, 3),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0])),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)getpid(), 1, 0),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
#undef REFUSE
	apply_filter(program, sizeof program / sizeof *program);
}

void confine(const struct places *places, int filter_descriptor)
{
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		fail("cannot give up new privileges: %s", strerror(errno));
	int abi = restrict_files(places);
	if (abi < 6)
		refuse_signals_to_others();
	filter_from(filter_descriptor);
}
