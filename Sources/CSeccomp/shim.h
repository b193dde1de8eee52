#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <seccomp.h>
#include <sys/syscall.h>
#include <unistd.h>

// Values that are macros in libseccomp's header and that Swift cannot import.
static inline unsigned liveedit_seccomp_errno(unsigned code) { return SCMP_ACT_ERRNO(code); }
static const unsigned liveedit_seccomp_allow = SCMP_ACT_ALLOW;
static const unsigned liveedit_seccomp_kill = SCMP_ACT_KILL_PROCESS;

// The maximum number of instructions in a filter (BPF_MAXINSNS), and the instruction that compares with a constant.
static const int liveedit_filter_most = BPF_MAXINSNS;
static const unsigned short liveedit_filter_compares = BPF_JMP | BPF_JEQ | BPF_K;

// Writes a filter as kernel instructions and returns their number, or returns -1 and sets errno. libseccomp writes the
// instructions to a descriptor. A pipe has room for at least 4096 bytes, and file size limits do not apply to it.
static inline int liveedit_filter_program(scmp_filter_ctx filter, struct sock_filter *program, int most) {
  int ends[2];
  if (syscall(SYS_pipe2, ends, O_CLOEXEC | O_NONBLOCK) != 0) return -1;
  int problem = -seccomp_export_bpf(filter, ends[1]);
  ssize_t size = problem ? -1 : read(ends[0], program, (size_t)most * sizeof *program);
  if (size < 0 && !problem) problem = errno;
  // libseccomp does not report incomplete writes. 1032 is F_GETPIPE_SZ, which glibc declares only with _GNU_SOURCE.
  if (size == fcntl(ends[0], 1032)) problem = E2BIG;
  close(ends[0]);
  close(ends[1]);
  errno = problem;
  return problem ? -1 : (int)((size_t)size / sizeof *program);
}

// Installs a filter for all threads of the process (seccomp(2)). Returns 0; -1, with errno set; or the number of a thread
// for which the filter could not be installed.
static inline int liveedit_filter_load(const struct sock_filter *program, int count) {
  struct sock_fprog whole = {(unsigned short)count, (struct sock_filter *)program};
  return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &whole);
}
