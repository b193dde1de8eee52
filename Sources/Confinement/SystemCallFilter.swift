internal import CLinux
internal import CSeccomp
internal import FileSystem
internal import Glibc

/// A seccomp filter that restricts the system calls of the process. See seccomp(2).
///
/// The allowed calls are those that strace recorded for every kind of job, and further calls that glibc, FFmpeg, x264,
/// x265 and Pango may make. Any other call fails with ENOSYS, as if the kernel were older and did not support the call.
/// A C library that is newer than this list then falls back to another call. Calls that only an attack would make end
/// the process at the first attempt.
///
/// Creating a filter takes several times as long as loading it, so all forked copies of a process share one filter.
package struct SystemCallFilter: Sendable {
  /// The system calls that are allowed with any arguments.
  static let allowed = [
    // Access to open files, and opening and removing files as far as Landlock permits.
    "read", "readv", "pread64", "preadv", "write", "writev", "pwrite64", "pwritev", "lseek", "close",
    "fstat", "fstat64", "newfstatat", "fstatat64", "stat", "lstat", "statx", "fstatfs",
    "statfs",
    "access", "faccessat", "faccessat2", "readlink", "readlinkat", "getdents64", "getcwd", "unlink",
    "unlinkat",
    "dup", "ftruncate", "fsync", "fdatasync", "fadvise64", "memfd_create", "poll", "ppoll",
    // Calls for memory management.
    "brk", "munmap", "mremap", "madvise", "get_mempolicy",
    // Calls for threads and their signals.
    "futex", "futex_waitv", "set_robust_list", "rseq", "set_tid_address", "membarrier",
    "sched_yield", "sched_getaffinity", "sched_getparam", "sched_getscheduler", "sched_get_priority_min",
    "sched_get_priority_max", "getcpu", "rt_sigaction", "rt_sigprocmask", "rt_sigreturn", "sigaltstack",
    "restart_syscall", "exit", "exit_group",
    // Calls for time, random numbers, and information about the process.
    "clock_gettime", "clock_getres", "clock_nanosleep", "nanosleep", "gettimeofday", "time", "times",
    "getrusage",
    "getrandom", "sysinfo", "uname", "getpid", "gettid", "getppid", "getuid", "geteuid", "getgid", "getegid",
    "getresuid", "getresgid", "getrlimit",
  ]

  /// System calls that attacks make but decoding never makes. They concern other programs, other processes or the
  /// kernel itself.
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

  /// The flags of clone(2) that create a thread. A thread shares memory, signal handlers and the process.
  private static let thread: UInt64 = 0x100 | 0x800 | 0x10000
  /// The flags of clone(2) that create namespaces.
  private static let namespaces: UInt64 =
    0x80 | 0x2_0000 | 0x200_0000 | 0x400_0000 | 0x800_0000 | 0x1000_0000
    | 0x2000_0000 | 0x4000_0000

  /// A placeholder for the process identifier in a filter that is created before the identifier is known. No process
  /// has this identifier.
  private static let anyProcess: UInt32 = 0x7FFF_FFFE

  /// The number of allowed system calls.
  let count: Int
  private let program: [sock_filter]

  /// Creates a filter that allows only the listed system calls.
  ///
  /// - Throws: ``SystemError`` if memory or file descriptors run out.
  init() throws(SystemError) {
    guard let filter = seccomp_init(liveedit_seccomp_errno(UInt32(ENOSYS))) else {
      throw SystemError(ENOMEM)
    }
    defer { seccomp_release(filter) }
    // A binary tree reduces the cost of a system call from a hundred comparisons to ten.
    _ = seccomp_attr_set(filter, SCMP_FLTATR_CTL_OPTIMIZE, 2)
    var count = 0
    func add(_ action: UInt32, _ name: String, _ conditions: [scmp_arg_cmp] = []) -> Bool {
      let number = seccomp_syscall_resolve_name(name)
      // Some system calls do not exist on every processor architecture.
      guard number >= 0 else { return false }
      return seccomp_rule_add_array(filter, action, number, UInt32(conditions.count), conditions) == 0
    }
    func allow(_ name: String, _ conditions: [scmp_arg_cmp] = []) {
      if add(liveedit_seccomp_allow, name, conditions) { count += 1 }
    }
    for name in Self.allowed { allow(name) }
    for name in Self.fatal { _ = add(liveedit_seccomp_kill, name) }
    // A filter cannot read the flags of clone3. The filter therefore refuses clone3, and C libraries fall back to
    // clone.
    allow("clone", [Self.masked(0, Self.thread | Self.namespaces, Self.thread)])
    // Before version 3, Landlock does not restrict truncation: a process can truncate any file that it may open for
    // reading. The filter therefore allows truncation only if the file is opened for writing.
    for (name, flags): (String, UInt32) in [("open", 1), ("openat", 2)] {
      allow(name, [Self.masked(flags, UInt64(O_TRUNC), 0)])
      for mode in [O_WRONLY, O_RDWR] {
        allow(name, [Self.masked(flags, UInt64(O_TRUNC | O_ACCMODE), UInt64(O_TRUNC | mode))])
      }
    }
    // Memory must not be made executable after it was written. Shared mappings are forbidden, because they do not count
    // towards the memory limit of the process.
    allow("mprotect", [Self.masked(2, UInt64(PROT_EXEC), 0)])
    for name in ["mmap", "mmap2"] {
      allow(
        name,
        [
          Self.masked(2, UInt64(PROT_EXEC), 0),
          Self.masked(3, UInt64(MAP_SHARED | MAP_PRIVATE), UInt64(MAP_PRIVATE)),
        ])
    }
    // With the Landlock calls, a process can only give up further rights.
    for number in [
      liveedit_landlock_create_call, liveedit_landlock_add_call, liveedit_landlock_restrict_call,
    ] {
      if seccomp_rule_add_array(filter, liveedit_seccomp_allow, number, 0, nil) == 0 { count += 1 }
    }
    // abort() sends a signal to its own process. Signals to other processes are forbidden.
    allow("tgkill", [Self.equal(0, UInt64(Self.anyProcess))])
    // A process may set only its own limits, which it can lower but not raise.
    allow("prlimit64", [Self.equal(0, 0)])
    // Setting and reading the names of threads (PR_SET_NAME, PR_GET_NAME).
    for option: UInt64 in [15, 16] { allow("prctl", [Self.equal(0, option)]) }
    for command in [F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_GETLK, F_SETLK, F_SETLKW, F_DUPFD_CLOEXEC]
    {
      allow("fcntl", [Self.equal(1, UInt64(command))])
    }
    // Every check for a terminal reports that the file is not a terminal.
    _ = add(liveedit_seccomp_errno(UInt32(ENOTTY)), "ioctl")
    var program = [sock_filter](repeating: sock_filter(), count: Int(liveedit_filter_most))
    let length = liveedit_filter_program(filter, &program, liveedit_filter_most)
    guard length > 0 else { throw SystemError(errno) }
    self.count = count
    self.program = Array(program.prefix(Int(length)))
  }

  /// Restricts all threads of the process, from now on, to the allowed system calls.
  ///
  /// The corresponding system call is `seccomp` with `SECCOMP_SET_MODE_FILTER`.
  ///
  /// - Returns: The number of allowed system calls, or 0 if the kernel or a sandbox around the process does not accept
  ///   filters.
  /// - Throws: An error if the kernel supports filters but fails to load this one.
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
