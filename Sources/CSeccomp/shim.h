#include <seccomp.h>

// Values that are macros in libseccomp's header and that Swift cannot import.
static inline unsigned liveedit_seccomp_errno(unsigned code) { return SCMP_ACT_ERRNO(code); }
static const unsigned liveedit_seccomp_allow = SCMP_ACT_ALLOW;
static const unsigned liveedit_seccomp_kill = SCMP_ACT_KILL_PROCESS;
