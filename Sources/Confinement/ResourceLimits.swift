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
    #if SANITIZED
      let mostMemory = Int.max
    #else
      let mostMemory = limits.memory
    #endif
    held.memory = try lower(RLIMIT_DATA, to: mostMemory)
    held.seconds = try lower(RLIMIT_CPU, to: limits.seconds, grace: secondsOfGrace)
    held.fileSize = try lower(RLIMIT_FSIZE, to: limits.fileSize)
    held.descriptors = try lower(RLIMIT_NOFILE, to: limits.descriptors)
    _ = try lower(RLIMIT_CORE, to: 0)
    return held
  }

  /// The limits of memory and time that a process can raise again.
  struct SoftLimits {
    private var (memory, seconds) = (rlimit(), rlimit())

    /// Those that hold.
    ///
    /// - Throws: why one could not be told.
    static func now() throws(SystemError) -> SoftLimits {
      var limits = SoftLimits()
      guard getrlimit(__rlimit_resource_t(RLIMIT_DATA.rawValue), &limits.memory) == 0,
        getrlimit(__rlimit_resource_t(RLIMIT_CPU.rawValue), &limits.seconds) == 0
      else { throw SystemError(errno) }
      return limits
    }

    /// These, where they are not beyond others.
    func lowered(to limits: WorkLimits) -> SoftLimits {
      var lowered = self
      #if !SANITIZED
        lowered.memory.rlim_cur = min(memory.rlim_cur, rlim_t(limits.memory))
      #endif
      lowered.seconds.rlim_cur = min(seconds.rlim_cur, rlim_t(limits.seconds))
      return lowered
    }

    /// Has the kernel keep the process to them.
    ///
    /// - Throws: why one could not be set.
    func set() throws(SystemError) {
      var limits = self
      guard setrlimit(__rlimit_resource_t(RLIMIT_DATA.rawValue), &limits.memory) == 0,
        setrlimit(__rlimit_resource_t(RLIMIT_CPU.rawValue), &limits.seconds) == 0
      else { throw SystemError(errno) }
    }
  }

  /// Where both limits of processor time are equal, the kernel ends the process by SIGKILL, as it does when memory is short;
  /// before that comes SIGXCPU, which tells what it was.
  private static let secondsOfGrace: rlim_t = 5

  private static func lower(
    _ resource: __rlimit_resource, to most: Int, grace: rlim_t = 0
  ) throws(SystemError) -> Int {
    var limit = rlimit()
    let kind = __rlimit_resource_t(resource.rawValue)
    guard getrlimit(kind, &limit) == 0 else { throw SystemError(errno) }
    let lowered = min(limit.rlim_cur, limit.rlim_max, rlim_t(most))
    limit = rlimit(rlim_cur: lowered, rlim_max: min(limit.rlim_max, lowered + grace))
    guard setrlimit(kind, &limit) == 0 else { throw SystemError(errno) }
    return Int(clamping: lowered)
  }
}
