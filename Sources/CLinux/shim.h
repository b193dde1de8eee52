#include <elf.h>
#include <stddef.h>

// glibc declares renameat2 only under _GNU_SOURCE, which Swift's Glibc module is built without.
int renameat2(int old_folder, const char *old_path, int new_folder, const char *new_path, unsigned int flags);
static const unsigned int liveedit_rename_noreplace = 1u << 0;

// The same holds for O_PATH: a descriptor that only stands for a place (asm-generic/fcntl.h).
static const int liveedit_o_path = 010000000;

// The same holds for memfd_create, which makes a file without a name (linux/memfd.h).
int memfd_create(const char *name, unsigned int flags);
static const unsigned int liveedit_memfd_close_on_exec = 1u;

// The same holds for dl_iterate_phdr; of its structure only the first members are read.
struct liveedit_loaded_object {
  Elf64_Addr address;
  const char *name;
  const Elf64_Phdr *headers;
  Elf64_Half count;
};
int dl_iterate_phdr(int (*visit)(struct liveedit_loaded_object *, size_t, void *), void *context);
