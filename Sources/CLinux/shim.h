// glibc declares renameat2 only under _GNU_SOURCE, which Swift's Glibc module is built without.
int renameat2(int old_folder, const char *old_path, int new_folder, const char *new_path, unsigned int flags);
static const unsigned int liveedit_rename_noreplace = 1u << 0;
