// System calls that no converter needs, by the reason why each is refused, with the numbers of both
// machines. `arm64: null` means that the call does not exist there.

export type Machine = 'x64' | 'arm64'

export interface SystemCall {
  x64: number
  arm64: number | null
}

const both = (x64: number, arm64: number | null): SystemCall => ({ x64, arm64 })
// From number 424 on, the kernel gives a new call the same number on every machine.
const same = (number: number): SystemCall => ({ x64: number, arm64: number })

export const refusedCalls: Readonly<Record<string, Readonly<Record<string, SystemCall>>>> = {
  'reads or steers another process': {
    ptrace: both(101, 117),
    process_vm_readv: both(310, 270),
    process_vm_writev: both(311, 271),
    kcmp: both(312, 272),
    pidfd_getfd: same(438),
    process_madvise: same(440),
    process_mrelease: same(448),
    perf_event_open: both(298, 241),
    pidfd_open: same(434),
    setpriority: both(141, 140),
    ioprio_set: both(251, 30),
    sched_setparam: both(142, 118),
    sched_setscheduler: both(144, 119),
    sched_setattr: both(314, 274),
  },
  'changes metadata of a file that it could not open (Landlock does not cover these)': {
    chmod: both(90, null),
    fchmod: both(91, 52),
    fchmodat: both(268, 53),
    chown: both(92, null),
    lchown: both(94, null),
    fchown: both(93, 55),
    fchownat: both(260, 54),
    utime: both(132, null),
    utimes: both(235, null),
    futimesat: both(261, null),
    utimensat: both(280, 88),
    setxattr: both(188, 5),
    lsetxattr: both(189, 6),
    fsetxattr: both(190, 7),
    removexattr: both(197, 14),
    lremovexattr: both(198, 15),
    fremovexattr: both(199, 16),
    // By path. Kernels before 6.2 do not hold it under Landlock; with an open file there is ftruncate.
    truncate: both(76, 45),
  },
  'takes memory that no limit counts, or that outlives the sandbox': {
    shmget: both(29, 194),
    semget: both(64, 190),
    msgget: both(68, 186),
    mq_open: both(240, 180),
    memfd_create: both(319, 279),
  },
  'reaches a socket of another program by its name': {
    connect: both(42, 203),
  },
  'changes mounts, or leaves the sandbox': {
    mount: both(165, 40),
    umount2: both(166, 39),
    pivot_root: both(155, 41),
    chroot: both(161, 51),
    unshare: both(272, 97),
    setns: both(308, 268),
    open_tree: same(428),
    move_mount: same(429),
    fsopen: same(430),
    fsconfig: same(431),
    fsmount: same(432),
    fspick: same(433),
    mount_setattr: same(442),
    name_to_handle_at: both(303, 264),
    open_by_handle_at: both(304, 265),
    quotactl: both(179, 60),
    quotactl_fd: same(443),
    fanotify_init: both(300, 262),
    fanotify_mark: both(301, 263),
  },
  'leaves something in /out that is no file (a FIFO blocks the process that opens it)': {
    mknod: both(133, null),
    mknodat: both(259, 33),
  },
  'has had many faults in the kernel, and converters work without it': {
    bpf: both(321, 280),
    userfaultfd: both(323, 282),
    io_uring_setup: same(425),
    io_uring_enter: same(426),
    io_uring_register: same(427),
    keyctl: both(250, 219),
    add_key: both(248, 217),
    request_key: both(249, 218),
    modify_ldt: both(154, null),
    personality: both(135, 92),
    vmsplice: both(278, 75),
    memfd_secret: same(447),
    move_pages: both(279, 239),
    migrate_pages: both(256, 238),
    mbind: both(237, 235),
    set_mempolicy: both(238, 237),
    set_mempolicy_home_node: same(450),
    lookup_dcookie: both(212, 18),
  },
  'is the administrator’s': {
    kexec_load: both(246, 104),
    kexec_file_load: both(320, 294),
    init_module: both(175, 105),
    finit_module: both(313, 273),
    delete_module: both(176, 106),
    reboot: both(169, 142),
    swapon: both(167, 224),
    swapoff: both(168, 225),
    acct: both(163, 89),
    settimeofday: both(164, 170),
    clock_settime: both(227, 112),
    adjtimex: both(159, 171),
    clock_adjtime: both(305, 266),
    iopl: both(172, null),
    ioperm: both(173, null),
    syslog: both(103, 116),
    vhangup: both(153, 58),
    nfsservctl: both(180, 42),
    sethostname: both(170, 161),
    setdomainname: both(171, 162),
  },
}

/** Without a process namespace the process group is killed, so no process may leave it. */
export const groupLeavingCalls: Readonly<Record<string, SystemCall>> = {
  setsid: both(112, 157),
  setpgid: both(109, 154),
}

/** Newer kernels have calls that were not reviewed yet. They do not exist in a sandbox. */
export const firstUnknownCall = 451

/** Calls that are judged by an argument. */
export const judgedCalls = {
  clone: both(56, 220),
  clone3: same(435),
  open: both(2, null),
  openat: both(257, 56),
  openat2: same(437),
  fcntl: both(72, 25),
  sched_setaffinity: both(203, 122),
  socket: both(41, 198),
  socketpair: both(53, 199),
  ioctl: both(16, 29),
  prlimit64: both(302, 261),
} as const satisfies Record<string, SystemCall>
