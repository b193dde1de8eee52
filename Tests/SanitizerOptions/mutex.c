// Swift's Mutex waits in libswiftSynchronization, which ThreadSanitizer does not watch: what one thread did under a lock that
// another one waited for would count as a race of both. These stand before that library's functions of the same names, and tell
// the sanitizer of what is locked and unlocked there.
#if __has_feature(thread_sanitizer)
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"
#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *mutex

void __tsan_acquire(void *);
void __tsan_release(void *);
SWIFT void mutex_lock(uint32_t thread, SELF) __asm__(LOCK);
SWIFT bool mutex_try_lock(SELF) __asm__(TRY_LOCK);
SWIFT void mutex_unlock(SELF) __asm__(UNLOCK);

static SWIFT void (*lock)(uint32_t, SELF);
static SWIFT bool (*try_lock)(SELF);
static SWIFT void (*unlock)(SELF);

__attribute__((constructor)) static void find_functions(void) {
  lock = dlsym(RTLD_NEXT, LOCK);
  try_lock = dlsym(RTLD_NEXT, TRY_LOCK);
  unlock = dlsym(RTLD_NEXT, UNLOCK);
  if (!lock || !try_lock || !unlock) abort();
}

SWIFT void mutex_lock(uint32_t thread, SELF) {
  lock(thread, mutex);
  __tsan_acquire(mutex);
}

SWIFT bool mutex_try_lock(SELF) {
  const bool is_locked = try_lock(mutex);
  if (is_locked) __tsan_acquire(mutex);
  return is_locked;
}

SWIFT void mutex_unlock(SELF) {
  __tsan_release(mutex);
  unlock(mutex);
}
#endif
