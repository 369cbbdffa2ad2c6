/*
 * On top of the sandbox's own filter, which every child inherits: that one also keeps it from changing the mode or
 * owner of what the server needs. A child converts one document in the one process that it is. So it
 * - starts nothing: threads, yes; processes and programs, no. One kill ends all of it;
 * - touches no other process: no signal, limit, priority or processor set but its own;
 * - stays in its group and session;
 * - reaches no other process: no sockets at all, no shared memory, queues or semaphores with a name;
 * - does not wait for the disk: LibreOffice flushes each file that it closes, and the files of a conversion are not needed
 *   after a power failure. fsync does nothing, successfully.
 */
#define _GNU_SOURCE
#include "child-filter.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../jail/confine.h"

#if defined __x86_64__
#define THIS_MACHINE AUDIT_ARCH_X86_64
#elif defined __aarch64__
#define THIS_MACHINE AUDIT_ARCH_AARCH64
#else
#error "no system call filter for this machine"
#endif

#define LOAD(member) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, member))
#define ANSWER(what) BPF_STMT(BPF_RET | BPF_K, (what))
#define REFUSED ANSWER(SECCOMP_RET_ERRNO | EPERM)
#define ALLOWED ANSWER(SECCOMP_RET_ALLOW)
#define SKIP_UNLESS_CALL(number, skip) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (number), 0, (skip))
#define IGNORE(number) SKIP_UNLESS_CALL(number, 1), ANSWER(SECCOMP_RET_ERRNO | 0)
#define REFUSE(number) SKIP_UNLESS_CALL(number, 1), REFUSED
/* Allowed only if the argument is one of two values. The low half is sufficient: these are 32-bit numbers. */
#define ONLY_IF_ARGUMENT(number, index, one, other) \
	SKIP_UNLESS_CALL(number, 5), LOAD(args[index]), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (one), 2, 0), \
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (other), 1, 0), REFUSED, ALLOWED

void refuse_system_calls(void)
{
	uint32_t self = (uint32_t)getpid();
	struct sock_filter program[] = {
		LOAD(arch),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, THIS_MACHINE, 1, 0),
		ANSWER(SECCOMP_RET_KILL_PROCESS),
		LOAD(nr),
#ifdef __x86_64__
		/* System call numbers of the x32 ABI. */
		BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1),
		ANSWER(SECCOMP_RET_KILL_PROCESS),
		REFUSE(SYS_fork),
		REFUSE(SYS_vfork),
#endif
		REFUSE(SYS_execve),
		REFUSE(SYS_execveat),
		/* Its flags are behind a pointer; glibc falls back to clone if it is missing. */
		SKIP_UNLESS_CALL(SYS_clone3, 1),
		ANSWER(SECCOMP_RET_ERRNO | ENOSYS),
		SKIP_UNLESS_CALL(SYS_clone, 4),
		LOAD(args[0]),
		BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 1, 0),
		REFUSED,
		ALLOWED,

		REFUSE(SYS_kill),
		REFUSE(SYS_tkill),
		REFUSE(SYS_rt_sigqueueinfo),
		REFUSE(SYS_rt_tgsigqueueinfo),
		REFUSE(SYS_pidfd_open),
		REFUSE(SYS_pidfd_send_signal),
		ONLY_IF_ARGUMENT(SYS_tgkill, 0, self, self),
		ONLY_IF_ARGUMENT(SYS_prlimit64, 0, 0, self),
		REFUSE(SYS_setpriority),
		REFUSE(SYS_ioprio_set),
		REFUSE(SYS_sched_setparam),
		REFUSE(SYS_sched_setscheduler),
		REFUSE(SYS_sched_setattr),
		ONLY_IF_ARGUMENT(SYS_sched_setaffinity, 0, 0, self),
		REFUSE(SYS_ptrace),
		REFUSE(SYS_process_vm_readv),
		REFUSE(SYS_process_vm_writev),

		REFUSE(SYS_setsid),
		REFUSE(SYS_setpgid),

		REFUSE(SYS_socket),
		REFUSE(SYS_socketpair),
		REFUSE(SYS_shmget),
		REFUSE(SYS_semget),
		REFUSE(SYS_msgget),
		REFUSE(SYS_mq_open),

		IGNORE(SYS_fsync),
		IGNORE(SYS_fdatasync),
		ALLOWED,
	};
	apply_filter(program, sizeof program / sizeof *program);
}
