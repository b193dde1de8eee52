#include <elf.h>
#include <errno.h>
#include <stddef.h>

// glibc declares renameat2 only under _GNU_SOURCE, which Swift's Glibc module is built without.
int renameat2(int old_folder, const char *old_path, int new_folder, const char *new_path, unsigned int flags);
static const unsigned int liveedit_rename_noreplace = 1u << 0;

// The same holds for O_PATH: a descriptor that only stands for a place (asm-generic/fcntl.h).
static const int liveedit_o_path = 010000000;

// The same holds for the values of lseek's last argument that find data and holes (linux/fs.h).
static const int liveedit_seek_data = 3, liveedit_seek_hole = 4;

// The same holds for memfd_create, which makes a file without a name (linux/memfd.h).
int memfd_create(const char *name, unsigned int flags);
static const unsigned int liveedit_memfd_close_on_exec = 1u;

// The same holds for POLLRDHUP: the peer of a socket sends no more (asm-generic/poll.h).
static const short liveedit_poll_rdhup = 0x2000;

// The same holds for dl_iterate_phdr; of its structure only the first members are read.
struct liveedit_loaded_object {
  Elf64_Addr address;
  const char *name;
  const Elf64_Phdr *headers;
  Elf64_Half count;
};
int dl_iterate_phdr(int (*visit)(struct liveedit_loaded_object *, size_t, void *), void *context);

// The same holds for statx, of which the time at which an open file was made is asked (statx(2)). Of its structure, which has
// 256 bytes, only the first members are named.
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
// -1 where it is not told: by the kernel before 4.11, or by the file system.
static inline int liveedit_birth_time(int file, long long *seconds, unsigned int *nanoseconds) {
  const unsigned int wanted = 0x800; // STATX_BTIME
  struct liveedit_extended_status status;
  if (syscall(SYS_statx, file, "", 0x1000 /* AT_EMPTY_PATH */, wanted, &status) != 0) return -1;
  if ((status.mask & wanted) == 0) return -1;
  *seconds = status.born.seconds;
  *nanoseconds = status.born.nanoseconds;
  return 0;
}

// Glibc's module leaves out sys/vfs.h: the kind of the file system that a path is on (statfs(2)).
#include <sys/vfs.h>
static inline int liveedit_file_system_kind(const char *path, unsigned int *kind) {
  struct statfs status;
  if (statfs(path, &status) != 0) return -1;
  *kind = (unsigned int)status.f_type;
  return 0;
}

// Landlock (linux/landlock.h), for which glibc has no functions. The structure is that of interface 6; a kernel takes a
// longer one than it knows where the rest is zero.
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
// The numbers of its calls, the same on every processor.
static const int liveedit_landlock_create_call = 444, liveedit_landlock_add_call = 445, liveedit_landlock_restrict_call = 446;
static inline int liveedit_landlock_version(void) { return (int)syscall(liveedit_landlock_create_call, (void *)0, (size_t)0, 1u); }
static inline int liveedit_landlock_create(const struct liveedit_landlock_ruleset *ruleset) {
  return (int)syscall(liveedit_landlock_create_call, ruleset, sizeof *ruleset, 0u);
}
static inline int liveedit_landlock_add(int ruleset, const struct liveedit_landlock_rule *rule) {
  return (int)syscall(liveedit_landlock_add_call, ruleset, 1, rule, 0u);
}
static inline int liveedit_landlock_restrict(int ruleset) { return (int)syscall(liveedit_landlock_restrict_call, ruleset, 0u); }

// Calls of variable arguments, which Swift cannot make, and those without a function in glibc.
static inline int liveedit_forgo_privileges(void) { return prctl(PR_SET_NO_NEW_PRIVS, 1L, 0L, 0L, 0L); }
// close_range is of Linux 5.9; before it, the folder of the open files names them.
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

// Two descriptors, handed with one byte to the process at the other end of a socket (unix(7), SCM_RIGHTS).
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
// 0 at the end of the socket, 1 with two descriptors, -1 otherwise.
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

// A descriptor that can be read once a child has ended, instead of the signal (signalfd(2)).
static inline int liveedit_watch_children(void) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGCHLD);
  if (sigprocmask(SIG_BLOCK, &signals, NULL) != 0) return -1;
  return signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
}

// Kills the calling process when the thread that forked it ends (prctl(2)).
static inline int liveedit_end_with_parent(void) { return prctl(PR_SET_PDEATHSIG, (long)SIGKILL, 0L, 0L, 0L); }

// Swift declares fork unavailable. To be called while there is one thread.
static inline pid_t liveedit_fork(void) { return fork(); }
