import EditModel
import FileSystem
internal import Glibc

/// The limits on resources that the kernel enforces for the process.
enum ResourceLimits {
  /// Lowers the limits of the process. Limits that are already lower are kept.
  ///
  /// The corresponding C functions are `getrlimit` and `setrlimit`. Core dumps are disabled (`RLIMIT_CORE`), because
  /// the memory contains the user's pictures.
  ///
  /// - Returns: The limits in force.
  /// - Throws: An error if a limit cannot be set.
  static func lower(to limits: WorkLimits) throws(SystemError) -> WorkLimits {
    var held = limits
    held.memory = try lower(RLIMIT_DATA, to: mostMemory(limits))
    held.seconds = try lower(RLIMIT_CPU, to: limits.seconds, grace: secondsOfGrace)
    held.fileSize = try lower(RLIMIT_FSIZE, to: limits.fileSize)
    held.descriptors = try lower(RLIMIT_NOFILE, to: limits.descriptors)
    _ = try lower(RLIMIT_CORE, to: 0)
    return held
  }

  /// Returns the number of bytes of memory that the process may use. The shadow memory of a sanitizer is included.
  private static func mostMemory(_ limits: WorkLimits) -> Int {
    #if SANITIZED
      Int.max
    #else
      limits.memory
    #endif
  }

  /// The soft limits of memory and processor time, which a process can raise again.
  struct SoftLimits {
    private var memory: rlimit
    private var seconds: rlimit

    /// Returns the limits in force.
    ///
    /// - Throws: An error if a limit cannot be read.
    static func now() throws(SystemError) -> SoftLimits {
      SoftLimits(memory: try limit(of: RLIMIT_DATA), seconds: try limit(of: RLIMIT_CPU))
    }

    /// Returns these limits, each lowered to the given limit if the given limit is smaller.
    func lowered(to limits: WorkLimits) -> SoftLimits {
      var lowered = self
      lowered.memory.rlim_cur = min(memory.rlim_cur, rlim_t(mostMemory(limits)))
      lowered.seconds.rlim_cur = min(seconds.rlim_cur, rlim_t(limits.seconds))
      return lowered
    }

    /// Applies the limits to the process.
    ///
    /// - Throws: An error if a limit cannot be set.
    func set() throws(SystemError) {
      try ResourceLimits.set(RLIMIT_DATA, to: memory)
      try ResourceLimits.set(RLIMIT_CPU, to: seconds)
    }
  }

  /// The difference, in seconds, between the hard and the soft limit of processor time. If both limits were equal, the
  /// kernel would kill the process with SIGKILL, as it does when memory is short. Because the soft limit is reached
  /// first, the kernel sends SIGXCPU, which identifies the cause.
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
