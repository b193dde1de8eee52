#define _GNU_SOURCE
#include "attempts.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

// The system calls are made directly, so that no library in between can refuse them.

static char secret[4096], fresh[4096], folder[4096], job_file[4096], job_folder[4096], beside[4096 + 4];
static char door[sizeof ((struct sockaddr_un *)0)->sun_path];
static int port, victim;

void attempts_begin(const char *path, const char *file, int at, int process) {
  snprintf(folder, sizeof folder, "%s", path);
  snprintf(secret, sizeof secret, "%s/secret", path);
  snprintf(fresh, sizeof fresh, "%s/new", path);
  snprintf(door, sizeof door, "%s/door", path);
  snprintf(job_file, sizeof job_file, "%s", file);
  snprintf(job_folder, sizeof job_folder, "%s", file);
  char *end = strrchr(job_folder, '/');
  if (end) *end = 0;
  snprintf(beside, sizeof beside, "%s.new", job_file);
  port = at;
  victim = process;
}

static int told(long result) { return result < 0 ? errno : 0; }

static int opening(const char *path, int flags) {
  int file = (int)syscall(SYS_openat, AT_FDCWD, path, flags, 0600);
  if (file < 0) return errno;
  close(file);
  return 0;
}

static int reading(const char *path) {
  int file = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY);
  if (file < 0) return errno;
  char byte;
  long count = read(file, &byte, 1);
  int failure = count < 0 ? errno : count == 0 ? ENODATA : 0;
  close(file);
  return failure;
}

static int read_file(void) { return reading(secret); }
static int read_passwd(void) { return reading("/etc/passwd"); }
static int read_through_link(void) {
  // The descriptor of the root folder, from which a name that no rule covers is opened.
  int root = (int)syscall(SYS_openat, AT_FDCWD, "/", O_PATH);
  if (root < 0) return errno;
  int file = (int)syscall(SYS_openat, root, "etc/passwd", O_RDONLY);
  int failure = file < 0 ? errno : 0;
  if (file >= 0) close(file);
  close(root);
  return failure;
}
static int write_file(void) { return opening(secret, O_WRONLY); }
static int make_file(void) { return opening(fresh, O_WRONLY | O_CREAT | O_EXCL); }
static int cut_off(void) { return told(syscall(SYS_truncate, secret, 0L)); }
static int append(void) { return opening(secret, O_WRONLY | O_APPEND); }
static int remove_file(void) { return told(syscall(SYS_unlinkat, AT_FDCWD, secret, 0)); }
static int rename_file(void) { return told(syscall(SYS_renameat2, AT_FDCWD, secret, AT_FDCWD, fresh, 0)); }
static int link_file(void) { return told(syscall(SYS_linkat, AT_FDCWD, secret, AT_FDCWD, fresh, 0)); }
static int link_symbolically(void) { return told(syscall(SYS_symlinkat, "/", AT_FDCWD, fresh)); }
static int make_folder(void) { return told(syscall(SYS_mkdirat, AT_FDCWD, fresh, 0700)); }
static int make_pipe_file(void) { return told(syscall(SYS_mknodat, AT_FDCWD, fresh, S_IFIFO | 0600, 0)); }
static int change_mode(void) { return told(syscall(SYS_fchmodat, AT_FDCWD, secret, 0777)); }
static int change_owner(void) { return told(syscall(SYS_fchownat, AT_FDCWD, secret, getuid(), getgid(), 0)); }
static int change_times(void) { return told(syscall(SYS_utimensat, AT_FDCWD, secret, NULL, 0)); }
static int set_attribute(void) { return told(syscall(SYS_setxattr, secret, "user.mark", "x", 1, 0)); }
static int list_folder(void) { return opening(folder, O_RDONLY | O_DIRECTORY); }
static int list_root(void) { return opening("/", O_RDONLY | O_DIRECTORY); }
static int change_folder(void) { return told(syscall(SYS_chdir, "/")); }

// Attempts that a job's own permissions might allow.
static int write_job_file(void) { return opening(job_file, O_WRONLY); }
static int cut_off_job_file(void) { return told(syscall(SYS_truncate, job_file, 0L)); }
static int empty_job_file(void) { return opening(job_file, O_RDONLY | O_TRUNC); }
static int remove_job_file(void) { return told(syscall(SYS_unlinkat, AT_FDCWD, job_file, 0)); }
static int write_beside_job_file(void) { return opening(beside, O_WRONLY | O_CREAT); }
static int list_job_folder(void) { return opening(job_folder, O_RDONLY | O_DIRECTORY); }
static int write_fonts(void) { return opening("/etc/fonts/fonts.conf", O_WRONLY); }

static int read_own_environment(void) { return reading("/proc/self/environ"); }
static int read_own_maps(void) { return reading("/proc/self/maps"); }
static int write_own_memory(void) { return opening("/proc/self/mem", O_RDWR); }
static int read_parent_environment(void) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/environ", victim);
  return reading(path);
}
static int list_processes(void) { return opening("/proc", O_RDONLY | O_DIRECTORY); }
static int read_kernel_settings(void) { return reading("/proc/sys/kernel/ostype"); }
static int connect_to(int family, const struct sockaddr *address, socklen_t size) {
  int end = (int)syscall(SYS_socket, family, SOCK_STREAM, 0);
  if (end < 0) return errno;
  int failure = told(syscall(SYS_connect, end, address, size));
  close(end);
  return failure;
}
static int connect_tcp(void) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((unsigned short)port)};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return connect_to(AF_INET, (struct sockaddr *)&address, sizeof address);
}
static int connect_local(void) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  memcpy(address.sun_path, door, sizeof door);
  return connect_to(AF_UNIX, (struct sockaddr *)&address, sizeof address);
}
static int listen_tcp(void) {
  int end = (int)syscall(SYS_socket, AF_INET, SOCK_STREAM, 0);
  if (end < 0) return errno;
  struct sockaddr_in address = {.sin_family = AF_INET};
  int failure = told(syscall(SYS_bind, end, &address, sizeof address));
  if (failure == 0) failure = told(syscall(SYS_listen, end, 1));
  close(end);
  return failure;
}
static int send_datagram(void) {
  int end = (int)syscall(SYS_socket, AF_INET, SOCK_DGRAM, 0);
  if (end < 0) return errno;
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(9)};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  int failure = told(syscall(SYS_sendto, end, "x", 1L, 0, &address, sizeof address));
  close(end);
  return failure;
}
static int make_socket_pair(void) {
  int ends[2];
  return told(syscall(SYS_socketpair, AF_UNIX, SOCK_STREAM, 0, ends));
}

static int waited(long child) {
  if (child < 0) return errno;
  if (child == 0) _exit(0);
  int status;
  waitpid((pid_t)child, &status, 0);
  return 0;
}
static int fork_process(void) { return waited(syscall(SYS_clone, SIGCHLD, 0L, 0L, 0L, 0L)); }
static int fork_newly(void) {
  unsigned long long arguments[8] = {0, 0, 0, 0, SIGCHLD, 0, 0, 0};
  return waited(syscall(SYS_clone3, arguments, sizeof arguments));
}
static int clone_namespace(void) { return waited(syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0L, 0L, 0L, 0L)); }
static int spawn_program(void) {
  char *words[] = {"true", NULL};
  pid_t child;
  int failure = posix_spawn(&child, "/bin/true", NULL, NULL, words, NULL);
  if (failure == 0) waitpid(child, NULL, 0);
  return failure;
}
static int run_program(void) {
  // A program that exits with 0 proves that it ran.
  char *words[] = {"true", NULL};
  syscall(SYS_execve, "/bin/true", words, NULL);
  return errno;
}
static int run_descriptor(void) {
  char *words[] = {"true", NULL};
  int file = (int)syscall(SYS_openat, AT_FDCWD, "/bin/true", O_PATH);
  if (file < 0) return errno;
  syscall(SYS_execveat, file, "", words, NULL, AT_EMPTY_PATH);
  return errno;
}

static int trace(void) {
  int failure = told(syscall(SYS_ptrace, PTRACE_SEIZE, victim, 0L, 0L));
  if (failure == 0) syscall(SYS_ptrace, PTRACE_DETACH, victim, 0L, 0L);
  return failure;
}
static int read_memory(void) {
  char byte;
  struct iovec own = {&byte, 1}, other = {(void *)attempts_begin, 1};
  return told(syscall(SYS_process_vm_readv, getppid(), &own, 1L, &other, 1L, 0L));
}
static int signal_other(void) { return told(syscall(SYS_kill, victim, 0)); }
static int signal_parent(void) { return told(syscall(SYS_kill, getppid(), 0)); }
static int signal_group(void) { return told(syscall(SYS_kill, 0, 0)); }
static int hold_process(void) { return told(syscall(434 /* pidfd_open */, victim, 0)); }

static int enter_namespace(void) { return told(syscall(SYS_unshare, CLONE_NEWUSER)); }
static int mount_something(void) {
  int failure = told(syscall(SYS_mount, "none", folder, "tmpfs", 0L, NULL));
  if (failure == 0) umount2(folder, MNT_DETACH);
  return failure;
}
static int load_program(void) {
  union bpf_attr attributes = {.map_type = BPF_MAP_TYPE_ARRAY, .key_size = 4, .value_size = 4, .max_entries = 1};
  return told(syscall(SYS_bpf, BPF_MAP_CREATE, &attributes, sizeof attributes));
}
static int make_ring(void) {
  char parameters[256] = {0};
  return told(syscall(425 /* io_uring_setup */, 1, parameters));
}
static int handle_faults(void) { return told(syscall(SYS_userfaultfd, 1)); }
static int add_key(void) { return told(syscall(SYS_add_key, "user", "probe", "x", 1L, -3)); }
static int change_personality(void) { return told(syscall(SYS_personality, 0x0400000)); }

static int map_executable(void) {
  void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return page == MAP_FAILED ? errno : 0;
}
static int make_executable(void) {
  void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return page == MAP_FAILED ? errno : told(mprotect(page, 4096, PROT_READ | PROT_EXEC));
}
// Memory that the limit for a single process does not count.
static int share_memory(void) {
  void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return page == MAP_FAILED ? errno : 0;
}
static int share_memory_later(void) {
  void *page = mmap(NULL, 4096, PROT_READ, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return page == MAP_FAILED ? errno : told(mprotect(page, 4096, PROT_READ | PROT_WRITE));
}
static int share_memory_of_file(void) {
  int file = (int)syscall(SYS_memfd_create, "probe", 0);
  if (file < 0) return errno;
  int failure = told(ftruncate(file, 4096));
  void *page = failure ? MAP_FAILED : mmap(NULL, 4096, PROT_READ, MAP_SHARED, file, 0);
  if (!failure) failure = page == MAP_FAILED ? errno : told(mprotect(page, 4096, PROT_READ | PROT_WRITE));
  close(file);
  return failure;
}
static int load_library(void) { return dlopen("libanl.so.1", RTLD_NOW) ? 0 : EACCES; }
static int raise_limit(void) {
  struct rlimit limit;
  getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max = limit.rlim_max + 1;
  return told(setrlimit(RLIMIT_NOFILE, &limit));
}
static int dump_memory(void) {
  struct rlimit limit = {1 << 20, 1 << 20};
  return told(setrlimit(RLIMIT_CORE, &limit));
}
static int control_terminal(void) {
  char byte = '\n';
  return told(syscall(SYS_ioctl, 0, 0x5412 /* TIOCSTI */, &byte));
}
static int set_clock(void) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return told(syscall(SYS_clock_settime, CLOCK_REALTIME, &now));
}

#define ONE(name) {#name, name}
static const struct attempt attempts[] = {
  ONE(read_file), ONE(read_passwd), ONE(read_through_link), ONE(write_file), ONE(make_file), ONE(cut_off), ONE(append),
  ONE(remove_file), ONE(rename_file), ONE(link_file), ONE(link_symbolically), ONE(make_folder), ONE(make_pipe_file),
  ONE(change_mode), ONE(change_owner), ONE(change_times), ONE(set_attribute), ONE(list_folder), ONE(list_root),
  ONE(change_folder), ONE(write_job_file), ONE(cut_off_job_file), ONE(empty_job_file), ONE(remove_job_file), ONE(write_beside_job_file),
  ONE(list_job_folder), ONE(write_fonts), ONE(read_own_environment), ONE(read_own_maps), ONE(write_own_memory), ONE(read_parent_environment),
  ONE(list_processes), ONE(read_kernel_settings), ONE(connect_tcp), ONE(connect_local),
  ONE(listen_tcp), ONE(send_datagram), ONE(make_socket_pair), ONE(fork_process), ONE(fork_newly), ONE(clone_namespace),
  ONE(spawn_program), ONE(run_program), ONE(run_descriptor), ONE(trace), ONE(read_memory), ONE(signal_other),
  ONE(signal_parent), ONE(signal_group), ONE(hold_process), ONE(enter_namespace), ONE(mount_something), ONE(load_program), ONE(make_ring),
  ONE(handle_faults), ONE(add_key), ONE(change_personality), ONE(map_executable), ONE(make_executable),
  ONE(share_memory), ONE(share_memory_later), ONE(share_memory_of_file), ONE(load_library), ONE(raise_limit), ONE(dump_memory),
  ONE(control_terminal), ONE(set_clock), {0, 0},
};

const struct attempt *attempts_all(void) { return attempts; }

long attempts_mark(const void *bytes, long count) {
  static const char mark[] = "LIVEEDIT-ATTACK:";
  const char *found = memmem(bytes, (size_t)count, mark, sizeof mark - 1);
  return found ? found - (const char *)bytes + (long)(sizeof mark - 1) : -1;
}

const struct attempt *attempts_named(const char *name) {
  const struct attempt *one = attempts;
  while (one->name && strcmp(one->name, name)) one++;
  return one->name ? one : NULL;
}
