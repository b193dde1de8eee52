import EditModel
import FileSystem
internal import Glibc

/// The limits that the kernel keeps a process to.
enum ResourceLimits {
  /// Lowers the limits of the process; those that are lower already stay.
  ///
  /// The corresponding C functions are `getrlimit` and `setrlimit`. No program's memory is written to a file when it crashes
  /// (`RLIMIT_CORE`): a photo's pictures are in it.
  ///
  /// - Returns: the limits that hold.
  /// - Throws: why one could not be set.
  static func lower(to limits: WorkLimits) throws(SystemError) -> WorkLimits {
    var held = limits
    held.memory = try lower(RLIMIT_DATA, to: mostMemory(limits))
    held.seconds = try lower(RLIMIT_CPU, to: limits.seconds, grace: secondsOfGrace)
    held.fileSize = try lower(RLIMIT_FSIZE, to: limits.fileSize)
    held.descriptors = try lower(RLIMIT_NOFILE, to: limits.descriptors)
    _ = try lower(RLIMIT_CORE, to: 0)
    return held
  }

  /// The bytes of memory that are allowed: a sanitizer's shadow counts as memory.
  private static func mostMemory(_ limits: WorkLimits) -> Int {
    #if SANITIZED
      Int.max
    #else
      limits.memory
    #endif
  }

  /// The limits of memory and time that a process can raise again.
  struct SoftLimits {
    private var memory: rlimit
    private var seconds: rlimit

    /// Those that hold.
    ///
    /// - Throws: why one could not be told.
    static func now() throws(SystemError) -> SoftLimits {
      SoftLimits(memory: try limit(of: RLIMIT_DATA), seconds: try limit(of: RLIMIT_CPU))
    }

    /// These, where they are not beyond others.
    func lowered(to limits: WorkLimits) -> SoftLimits {
      var lowered = self
      lowered.memory.rlim_cur = min(memory.rlim_cur, rlim_t(mostMemory(limits)))
      lowered.seconds.rlim_cur = min(seconds.rlim_cur, rlim_t(limits.seconds))
      return lowered
    }

    /// Has the kernel keep the process to them.
    ///
    /// - Throws: why one could not be set.
    func set() throws(SystemError) {
      try ResourceLimits.set(RLIMIT_DATA, to: memory)
      try ResourceLimits.set(RLIMIT_CPU, to: seconds)
    }
  }

  /// Where both limits of processor time are equal, the kernel ends the process by SIGKILL, as it does when memory is short;
  /// before that comes SIGXCPU, which tells what it was.
  private static let secondsOfGrace: rlim_t = 5

  private static func lower(
    _ resource: __rlimit_resource, to most: Int, grace: rlim_t = 0
  ) throws(SystemError) -> Int {
    let limit = try limit(of: resource)
    let lowered = min(limit.rlim_cur, limit.rlim_max, rlim_t(most))
    try set(resource, to: rlimit(rlim_cur: lowered, rlim_max: min(limit.rlim_max, lowered + grace)))
    return Int(clamping: lowered)
  }

  private static func limit(of resource: __rlimit_resource) throws(SystemError) -> rlimit {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(resource.rawValue), &limit) == 0 else { throw SystemError(errno) }
    return limit
  }

  private static func set(_ resource: __rlimit_resource, to limit: rlimit) throws(SystemError) {
    var limit = limit
    guard setrlimit(__rlimit_resource_t(resource.rawValue), &limit) == 0 else { throw SystemError(errno) }
  }
}
