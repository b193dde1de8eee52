#include <elf.h>
#include <errno.h>
#include <stddef.h>

// glibc declares renameat2 only with _GNU_SOURCE, and Swift's Glibc module is built without it.
int renameat2(int old_folder, const char *old_path, int new_folder, const char *new_path, unsigned int flags);
static const unsigned int liveedit_rename_noreplace = 1u << 0;

// Likewise O_PATH: a descriptor that only identifies a location in the file system (asm-generic/fcntl.h).
static const int liveedit_o_path = 010000000;

// Likewise the values of lseek's last argument that find data and holes (linux/fs.h).
static const int liveedit_seek_data = 3, liveedit_seek_hole = 4;

// Likewise memfd_create, which creates a file without a name (linux/memfd.h).
int memfd_create(const char *name, unsigned int flags);
static const unsigned int liveedit_memfd_close_on_exec = 1u;

// Likewise POLLRDHUP: the peer of a socket has stopped sending (asm-generic/poll.h).
static const short liveedit_poll_rdhup = 0x2000;

// Likewise dl_iterate_phdr. Only the first members of its structure are read.
struct liveedit_loaded_object {
  Elf64_Addr address;
  const char *name;
  const Elf64_Phdr *headers;
  Elf64_Half count;
};
int dl_iterate_phdr(int (*visit)(struct liveedit_loaded_object *, size_t, void *), void *context);

// Likewise statx, which is used for the creation time of an open file (statx(2)). Its structure has 256 bytes, of which only
// the first members are named.
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>
struct liveedit_extended_status {
  unsigned int mask, block_size;
  unsigned long long attributes;
  unsigned int links, owner, group;
  unsigned short mode, padding;
  unsigned long long inode, size, blocks, known_attributes;
  struct { long long seconds; unsigned int nanoseconds, padding; } accessed, born;
  unsigned long long rest[20];
};
// Returns -1 if the time is unknown: before Linux 4.11, or if the file system does not store it.
static inline int liveedit_birth_time(int file, long long *seconds, unsigned int *nanoseconds) {
  const unsigned int wanted = 0x800; // STATX_BTIME
  struct liveedit_extended_status status;
  if (syscall(SYS_statx, file, "", 0x1000 /* AT_EMPTY_PATH */, wanted, &status) != 0) return -1;
  if ((status.mask & wanted) == 0) return -1;
  *seconds = status.born.seconds;
  *nanoseconds = status.born.nanoseconds;
  return 0;
}

// The type of the file system that contains a path (statfs(2)). The Glibc module does not include sys/vfs.h.
#include <sys/vfs.h>
static inline int liveedit_file_system_kind(const char *path, unsigned int *kind) {
  struct statfs status;
  if (statfs(path, &status) != 0) return -1;
  *kind = (unsigned int)status.f_type;
  return 0;
}

// Landlock (linux/landlock.h), for which glibc has no functions. The structure is that of interface version 6. A kernel
// accepts a longer structure than its own if the rest is zero.
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
struct liveedit_landlock_ruleset {
  unsigned long long file_rights;
  unsigned long long network_rights;
  unsigned long long scopes;
};
struct liveedit_landlock_rule {
  unsigned long long rights;
  int descriptor;
} __attribute__((packed));
// The numbers of the Landlock system calls, which are the same on every processor.
static const int liveedit_landlock_create_call = 444, liveedit_landlock_add_call = 445, liveedit_landlock_restrict_call = 446;
static inline int liveedit_landlock_version(void) { return (int)syscall(liveedit_landlock_create_call, (void *)0, (size_t)0, 1u); }
static inline int liveedit_landlock_create(const struct liveedit_landlock_ruleset *ruleset) {
  return (int)syscall(liveedit_landlock_create_call, ruleset, sizeof *ruleset, 0u);
}
static inline int liveedit_landlock_add(int ruleset, const struct liveedit_landlock_rule *rule) {
  return (int)syscall(liveedit_landlock_add_call, ruleset, 1, rule, 0u);
}
static inline int liveedit_landlock_restrict(int ruleset) { return (int)syscall(liveedit_landlock_restrict_call, ruleset, 0u); }

// Functions with variable arguments, which Swift cannot call, and system calls without a function in glibc.
static inline int liveedit_forgo_privileges(void) { return prctl(PR_SET_NO_NEW_PRIVS, 1L, 0L, 0L, 0L); }
// close_range requires Linux 5.9. On older kernels, /proc/self/fd lists the open files.
#include <dirent.h>
#include <stdlib.h>
static inline int liveedit_close_from(unsigned int first) {
  if (syscall(436, first, ~0u, 0u) == 0) return 0;
  DIR *folder = opendir("/proc/self/fd");
  if (!folder) return -1;
  for (;;) {
    errno = 0;
    struct dirent *one = readdir(folder);
    if (!one) break;
    int file = atoi(one->d_name);
    if (file >= (int)first && file != dirfd(folder)) close(file);
  }
  int problem = errno;
  closedir(folder);
  errno = problem;
  return problem ? -1 : 0;
}
static inline int liveedit_keep_capabilities(unsigned int kept) {
  struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct data[2];
  if (syscall(SYS_capget, &header, data) != 0) return -1;
  for (int half = 0; half < 2; half++) {
    data[half].effective &= half == 0 ? kept : 0;
    data[half].permitted &= half == 0 ? kept : 0;
    data[half].inheritable = 0;
  }
  return (int)syscall(SYS_capset, &header, data);
}

// Sends two descriptors and one byte to the process at the other end of a socket (unix(7), SCM_RIGHTS).
#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/uio.h>
static inline int liveedit_send_descriptors(int socket, int first, int second) {
  char byte = 0;
  struct iovec part = {&byte, 1};
  union { char bytes[CMSG_SPACE(2 * sizeof(int))]; struct cmsghdr aligned; } control;
  memset(&control, 0, sizeof control);
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(2 * sizeof(int));
  int both[2] = {first, second};
  memcpy(CMSG_DATA(header), both, sizeof both);
  return (int)sendmsg(socket, &message, MSG_NOSIGNAL);
}
// Returns 0 at the end of the stream, 1 after receiving two descriptors, and -1 otherwise.
static inline int liveedit_receive_descriptors(int socket, int *first, int *second) {
  char byte;
  struct iovec part = {&byte, 1};
  union { char bytes[CMSG_SPACE(2 * sizeof(int))]; struct cmsghdr aligned; } control;
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
  int count = (int)recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  if (count <= 0) return count;
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  if (header == NULL || header->cmsg_type != SCM_RIGHTS || header->cmsg_len != CMSG_LEN(2 * sizeof(int))) {
    errno = EBADMSG;
    return -1;
  }
  int both[2];
  memcpy(both, CMSG_DATA(header), sizeof both);
  *first = both[0];
  *second = both[1];
  return 1;
}

// Returns a descriptor that becomes readable when a child process ends, in place of the signal (signalfd(2)).
static inline int liveedit_watch_children(void) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGCHLD);
  if (sigprocmask(SIG_BLOCK, &signals, NULL) != 0) return -1;
  return signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
}

// Kills the calling process when the thread that forked it ends (prctl(2)).
static inline int liveedit_end_with_parent(void) { return prctl(PR_SET_PDEATHSIG, (long)SIGKILL, 0L, 0L, 0L); }

// Swift declares fork unavailable. Call this function only while the process has a single thread.
static inline pid_t liveedit_fork(void) { return fork(); }
