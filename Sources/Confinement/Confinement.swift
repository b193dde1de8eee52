package import Basics
internal import CLinux
package import EditModel
internal import FileSystem
internal import Glibc

/// Confines the current process before it reads the first byte of an untrusted file. The restrictions cannot be undone.
///
/// The steps that do not depend on the job come first: inherited file descriptors are closed, administrator rights are
/// given up, new privileges are ruled out, and system calls are filtered (seccomp). Once the job and its size are
/// known, file access (Landlock) and resources are limited. If the kernel lacks one of these features, the other
/// restrictions still apply; ``ConfinementState`` states which restrictions are in force. If the kernel supports a
/// feature but fails to apply it, for example for lack of memory, the job ends, because the next file would be just as
/// untrusted.
package enum Confinement {
  /// Whether confinement is enabled. Confinement is disabled only in builds that measure its cost.
  private static var isWanted: Bool {
    #if UNCONFINED
      false
    #else
      true
    #endif
  }

  /// The administrator rights that are kept. These rights allow the process to read and write files of other users
  /// (`CAP_DAC_OVERRIDE`, `CAP_DAC_READ_SEARCH`), because the originals may belong to other users. Rights such as
  /// raising limits and tracing processes are given up.
  private static let fileRights: UInt32 =
    1 << UInt32(CAP_DAC_OVERRIDE) | 1 << UInt32(CAP_DAC_READ_SEARCH)

  /// Creates the system call filter, or returns nil if the filter cannot be created now. Every forked copy of this
  /// process can load the filter.
  package static func filter() -> SystemCallFilter? { isWanted ? try? SystemCallFilter() : nil }

  /// Confines the process as far as possible before the job is known.
  ///
  /// The corresponding C functions are `capset`, and `prctl` with `PR_SET_NO_NEW_PRIVS`.
  ///
  /// - Parameter filter: A system call filter that was created earlier, or nil to create a filter now.
  /// - Returns: The restrictions in force after the call.
  /// - Throws: An error if the kernel supports a restriction but fails to apply it.
  package static func begin(with filter: SystemCallFilter?) throws(EditError) -> ConfinementState {
    var state = ConfinementState()
    guard isWanted else { return state }
    // The program that started liveedit may have left file descriptors open.
    guard liveedit_close_from(UInt32(STDERR_FILENO) + 1) == 0 else { throw failure(SystemError(errno)) }
    do throws(SystemError) {
      state.isWithoutCapabilities = try isHeld { liveedit_keep_capabilities(fileRights) }
      state.isWithoutNewPrivileges = try isHeld(liveedit_forgo_privileges)
      if state.isWithoutNewPrivileges {
        state.allowedCalls = if let filter { try filter.load() } else { try SystemCallFilter().load() }
      }
    } catch {
      throw failure(error)
    }
    return state
  }

  /// Confines the process to a job. Call this method while the process has a single thread, because Landlock applies
  /// only to the calling thread and to threads that it starts later.
  ///
  /// - Parameters:
  ///   - job: The job. The files that the job names and the folders of its outputs stay accessible.
  ///   - state: The restrictions already in force; see ``begin()``.
  /// - Returns: The restrictions in force after the call, except for resource limits.
  /// - Throws: An error if the kernel supports a restriction but fails to apply it.
  package static func enter(
    for job: HelperJob, since state: ConfinementState
  ) throws(EditError) -> ConfinementState {
    let folders = Set(job.outputs.map { FilePath.split($0).folder }).sorted()
    var files = ConfinedFiles(read: job.inputs, writtenFolders: folders)
    if job.drawsText { files.readFolders += fontFolders }
    if case .preview(let job) = job, let folder = job.folder { files.readFolders.append(folder) }
    var state = state
    do throws(SystemError) {
      if state.isWithoutNewPrivileges { state.landlock = try FileRules.restrict(to: files) }
    } catch {
      throw failure(error)
    }
    return state
  }

  /// Makes a system call that gives up a right of the process.
  ///
  /// - Parameter call: The system call, which returns 0 or sets errno.
  /// - Returns: True if the right was given up. False if the kernel does not support the restriction, or if a sandbox
  ///   around the process forbids the call.
  /// - Throws: An error if the kernel supports the restriction but fails to apply it.
  private static func isHeld(_ call: () -> Int32) throws(SystemError) -> Bool {
    if call() == 0 { return true }
    let error = SystemError(errno)
    guard isMissing(error) else { throw error }
    return false
  }

  /// Returns whether an error means that the kernel lacks the requested feature or that a sandbox around the process
  /// forbids its use.
  static func isMissing(_ error: SystemError) -> Bool {
    [EINVAL, ENOSYS, EOPNOTSUPP, EPERM, EACCES].contains(error.code)
  }

  private static func failure(_ error: SystemError) -> EditError {
    EditError(.renderer, "liveedit-render cannot confine itself (\(error))", remedy: "try again later")
  }

  /// Limits the resources of the process. Limits that are already lower are kept.
  ///
  /// - Parameter limits: The resources that the process may use.
  /// - Returns: The limits in force, or nil if a sandbox around the process forbids setting limits.
  /// - Throws: An error if the kernel supports a limit but fails to apply it.
  package static func limit(to limits: WorkLimits) throws(EditError) -> WorkLimits? {
    guard isWanted else { return nil }
    do throws(SystemError) {
      return try ResourceLimits.lower(to: limits)
    } catch {
      if isMissing(error) { return nil }
      throw failure(error)
    }
  }

  /// Limits the memory and processor time of the process while a closure runs.
  ///
  /// - Parameters:
  ///   - limits: The resources that the process may use until the closure returns.
  ///   - work: The closure to run.
  /// - Returns: The result of the closure.
  /// - Throws: An error if the kernel supports a limit but fails to apply it.
  package static func limit<Result>(
    to limits: WorkLimits, while work: () -> Result
  ) throws(EditError) -> Result {
    guard isWanted else { return work() }
    var before: ResourceLimits.SoftLimits?
    do throws(SystemError) {
      let held = try ResourceLimits.SoftLimits.now()
      try held.lowered(to: limits).set()
      before = held
    } catch {
      guard isMissing(error) else { throw failure(error) }
    }
    let result = work()
    do throws(SystemError) { try before?.set() } catch { throw failure(error) }
    return result
  }

  /// The folders of fonts and font configuration that Debian's fontconfig searches.
  package static let fontFolders = [
    "/etc/fonts", "/usr/share/fontconfig", "/usr/share/fonts", "/usr/local/share/fonts",
    "/usr/share/X11/fonts", "/var/cache/fontconfig",
  ]
}
