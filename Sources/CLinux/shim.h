#include <elf.h>
#include <stddef.h>

// glibc declares renameat2 only under _GNU_SOURCE, which Swift's Glibc module is built without.
int renameat2(int old_folder, const char *old_path, int new_folder, const char *new_path, unsigned int flags);
static const unsigned int liveedit_rename_noreplace = 1u << 0;

// The same holds for O_PATH (fcntl.h of Linux).
static const int liveedit_open_path = 010000000;

// The same holds for dl_iterate_phdr; of its structure only the first members are read.
struct liveedit_loaded_object {
  Elf64_Addr address;
  const char *name;
  const Elf64_Phdr *headers;
  Elf64_Half count;
};
int dl_iterate_phdr(int (*visit)(struct liveedit_loaded_object *, size_t, void *), void *context);
