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

/// The path that a symbolic link of the system's leads to: bytes, which need not be UTF-8.
///
/// The corresponding C function is `readlink`.
func targetOfLink(_ link: String) throws(SystemError) -> [UInt8] {
  var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
  let count = try calling { readlink(link, &buffer, buffer.count) }
  return buffer.prefix(count).map { UInt8(bitPattern: $0) }
}
