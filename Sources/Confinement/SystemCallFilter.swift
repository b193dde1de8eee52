internal import CLinux
internal import CSeccomp
internal import FileSystem
internal import Glibc

/// seccomp: which system calls a process may use, from when it says so on. See seccomp(2).
///
/// The calls come from strace over every kind of job, and from what glibc, FFmpeg, x264, x265 and Pango may use besides. A call
/// that is not among them does not exist (ENOSYS), as on an older kernel: a C library that is newer than this list falls back
/// to another. Of those that only an attack would try, the first ends the process.
///
/// Making a filter takes several times as long as loading it, so one that was made serves every copy of its process.
package struct SystemCallFilter: Sendable {
  /// Calls that are allowed, whatever their arguments.
  static let allowed = [
    // Files that are open, or that Landlock lets be opened; names that it lets be removed.
    "read", "readv", "pread64", "preadv", "write", "writev", "pwrite64", "pwritev", "lseek", "close",
    "fstat", "fstat64", "newfstatat", "fstatat64", "stat", "lstat", "statx", "fstatfs",
    "statfs",
    "access", "faccessat", "faccessat2", "readlink", "readlinkat", "getdents64", "getcwd", "unlink",
    "unlinkat",
    "dup", "ftruncate", "fsync", "fdatasync", "fadvise64", "memfd_create", "poll", "ppoll",
    // Memory.
    "brk", "munmap", "mremap", "madvise", "get_mempolicy",
    // Threads and their signals.
    "futex", "futex_waitv", "set_robust_list", "rseq", "set_tid_address", "membarrier",
    "sched_yield", "sched_getaffinity", "sched_getparam", "sched_getscheduler", "sched_get_priority_min",
    "sched_get_priority_max", "getcpu", "rt_sigaction", "rt_sigprocmask", "rt_sigreturn", "sigaltstack",
    "restart_syscall", "exit", "exit_group",
    // Time, chance, and what the process is.
    "clock_gettime", "clock_getres", "clock_nanosleep", "nanosleep", "gettimeofday", "time", "times",
    "getrusage",
    "getrandom", "sysinfo", "uname", "getpid", "gettid", "getppid", "getuid", "geteuid", "getgid", "getegid",
    "getresuid", "getresgid", "getrlimit",
  ]

  /// Calls that decoding never makes, and attacks do: other programs, other processes, the kernel itself.
  static let fatal = [
    "execve", "execveat", "fork", "vfork", "ptrace", "process_vm_readv", "process_vm_writev", "kcmp",
    "pidfd_open",
    "pidfd_getfd", "pidfd_send_signal", "bpf", "perf_event_open", "userfaultfd", "io_uring_setup",
    "io_uring_enter",
    "io_uring_register", "mount", "umount2", "fsopen", "open_tree", "move_mount", "pivot_root", "chroot",
    "unshare",
    "setns", "init_module", "finit_module", "delete_module", "kexec_load", "kexec_file_load", "reboot",
    "keyctl",
    "add_key", "request_key", "open_by_handle_at", "setuid", "setgid", "setresuid", "setresgid", "setgroups",
    "modify_ldt", "personality", "iopl", "ioperm",
  ]

  /// Flags of clone(2): memory, signal handlers and the process are shared, which makes a thread.
  private static let thread: UInt64 = 0x100 | 0x800 | 0x10000
  /// Flags of clone(2) that make new namespaces.
  private static let namespaces: UInt64 =
    0x80 | 0x2_0000 | 0x200_0000 | 0x400_0000 | 0x800_0000 | 0x1000_0000
    | 0x2000_0000 | 0x4000_0000

  /// A stand-in for the process's number in a filter that was made before it is known; no process has it.
  private static let anyProcess: UInt32 = 0x7FFF_FFFE

  /// The number of calls that are allowed.
  let count: Int
  private let program: [sock_filter]

  /// Makes a filter that allows the calls of the list alone.
  ///
  /// - Throws: ``SystemError`` where there is no memory or no descriptor for it.
  init() throws(SystemError) {
    guard let filter = seccomp_init(liveedit_seccomp_errno(UInt32(ENOSYS))) else {
      throw SystemError(ENOMEM)
    }
    defer { seccomp_release(filter) }
    // A binary tree: a call costs ten comparisons and not a hundred.
    _ = seccomp_attr_set(filter, SCMP_FLTATR_CTL_OPTIMIZE, 2)
    var count = 0
    func add(_ action: UInt32, _ name: String, _ conditions: [scmp_arg_cmp] = []) -> Bool {
      let number = seccomp_syscall_resolve_name(name)
      // Not every processor has every call.
      guard number >= 0 else { return false }
      return seccomp_rule_add_array(filter, action, number, UInt32(conditions.count), conditions) == 0
    }
    func allow(_ name: String, _ conditions: [scmp_arg_cmp] = []) {
      if add(liveedit_seccomp_allow, name, conditions) { count += 1 }
    }
    for name in Self.allowed { allow(name) }
    for name in Self.fatal { _ = add(liveedit_seccomp_kill, name) }
    // C libraries that are refused clone3, whose flags no filter can see, take clone.
    allow("clone", [Self.masked(0, Self.thread | Self.namespaces, Self.thread)])
    // Landlock before its version 3 lets whoever may read a file empty it by opening it: that takes the right to write here.
    for (name, flags): (String, UInt32) in [("open", 1), ("openat", 2)] {
      allow(name, [Self.masked(flags, UInt64(O_TRUNC), 0)])
      for mode in [O_WRONLY, O_RDWR] {
        allow(name, [Self.masked(flags, UInt64(O_TRUNC | O_ACCMODE), UInt64(O_TRUNC | mode))])
      }
    }
    // Nothing that was written becomes a program. Memory that is shared does not count as the process's own, which is limited.
    allow("mprotect", [Self.masked(2, UInt64(PROT_EXEC), 0)])
    for name in ["mmap", "mmap2"] {
      allow(
        name,
        [
          Self.masked(2, UInt64(PROT_EXEC), 0),
          Self.masked(3, UInt64(MAP_SHARED | MAP_PRIVATE), UInt64(MAP_PRIVATE)),
        ])
    }
    // With Landlock a process can only take more away from itself.
    for number in [
      liveedit_landlock_create_call, liveedit_landlock_add_call, liveedit_landlock_restrict_call,
    ] {
      if seccomp_rule_add_array(filter, liveedit_seccomp_allow, number, 0, nil) == 0 { count += 1 }
    }
    // abort() ends its own process; no signal goes to another one.
    allow("tgkill", [Self.equal(0, UInt64(Self.anyProcess))])
    // Its own limits, which it can lower and not raise.
    allow("prlimit64", [Self.equal(0, 0)])
    // The names of threads (PR_SET_NAME, PR_GET_NAME).
    for option: UInt64 in [15, 16] { allow("prctl", [Self.equal(0, option)]) }
    for command in [F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_GETLK, F_SETLK, F_SETLKW, F_DUPFD_CLOEXEC]
    {
      allow("fcntl", [Self.equal(1, UInt64(command))])
    }
    // Whoever asks whether a file is a terminal is told that it is none.
    _ = add(liveedit_seccomp_errno(UInt32(ENOTTY)), "ioctl")
    var program = [sock_filter](repeating: sock_filter(), count: Int(liveedit_filter_most))
    let length = liveedit_filter_program(filter, &program, liveedit_filter_most)
    guard length > 0 else { throw SystemError(errno) }
    self.count = count
    self.program = Array(program.prefix(Int(length)))
  }

  /// Lets the process, all its threads, make no other calls from now on.
  ///
  /// The corresponding system call is `seccomp` with `SECCOMP_SET_MODE_FILTER`.
  ///
  /// - Returns: the number of calls that are allowed; 0 where the kernel, or a sandbox around the process, takes no filter.
  /// - Throws: what kept a kernel from it that takes filters at other times.
  func load() throws(SystemError) -> Int {
    var program = program
    let own = program.indices.filter {
      program[$0].code == liveedit_filter_compares && program[$0].k == Self.anyProcess
    }
    guard own.count == 1 else { throw SystemError(EINVAL) }
    program[own[0]].k = UInt32(getpid())
    let answer = liveedit_filter_load(program, Int32(program.count))
    if answer == 0 { return count }
    let error = SystemError(answer < 0 ? errno : ESRCH)
    if Confinement.isMissing(error) { return 0 }
    throw error
  }

  private static func equal(_ argument: UInt32, _ value: UInt64) -> scmp_arg_cmp {
    scmp_arg_cmp(arg: argument, op: SCMP_CMP_EQ, datum_a: value, datum_b: 0)
  }

  private static func masked(_ argument: UInt32, _ mask: UInt64, _ value: UInt64) -> scmp_arg_cmp {
    scmp_arg_cmp(arg: argument, op: SCMP_CMP_MASKED_EQ, datum_a: mask, datum_b: value)
  }
}
