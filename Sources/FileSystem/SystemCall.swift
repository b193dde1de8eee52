import Glibc

/// Runs a system call that answers -1 on failure, again whenever a signal interrupts it.
///
/// Every call of this room goes through here. `close` does not: on Linux the descriptor is gone even when
/// it answers EINTR.
func calling<Result: SignedInteger>(_ call: () -> Result) throws(SystemError) -> Result {
  while true {
    let result = call()
    if result != -1 { return result }
    let failure = SystemError(errno)
    if failure.code != EINTR { throw failure }
  }
}
