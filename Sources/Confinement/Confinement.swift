package import Basics
internal import CLinux
package import EditModel
internal import FileSystem
internal import Glibc

/// The confinement of the running process: what it takes away from itself before it sees the first byte of a file that a
/// stranger may have made. Nothing of it can be taken back.
///
/// In this order: descriptors that it inherited, rights of an administrator, new privileges, system calls (seccomp), which
/// need not know a job; then files (Landlock), and limits, when it is known how much there is to do. A kernel that lacks one
/// of them gives the others; ``ConfinementState`` tells which hold. One that has it and fails ends the job: the next file is no
/// less a stranger's where memory is short.
package enum Confinement {
  /// True but in builds that tell what it costs.
  private static var isWanted: Bool {
    #if UNCONFINED
      false
    #else
      true
    #endif
  }

  /// Of an administrator's rights those to read and write what belongs to others (`CAP_DAC_OVERRIDE`, `CAP_DAC_READ_SEARCH`),
  /// which are kept: the originals may. Raising limits, tracing and the like go.
  private static let fileRights: UInt32 =
    1 << UInt32(CAP_DAC_OVERRIDE) | 1 << UInt32(CAP_DAC_READ_SEARCH)

  /// Makes the filter of system calls, which every copy of this process can load; nil where that cannot be done now.
  package static func filter() -> SystemCallFilter? { isWanted ? try? SystemCallFilter() : nil }

  /// Confines the process as far as that is possible before it knows its job.
  ///
  /// The corresponding C functions are `capset`, and `prctl` with `PR_SET_NO_NEW_PRIVS`.
  ///
  /// - Parameter filter: the filter of system calls that was made ahead of time; nil to make it now.
  /// - Returns: what holds from now on.
  /// - Throws: why the kernel did not do what it can.
  package static func begin(with filter: SystemCallFilter?) throws(EditError) -> ConfinementState {
    var state = ConfinementState()
    guard isWanted else { return state }
    // Whoever started liveedit may have left files open in it.
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

  /// Confines the process to a job. To be called while it has one thread: Landlock holds for the calling thread and those
  /// that it starts.
  ///
  /// - Parameters:
  ///   - job: the job; the files that it names stay open to it, and the folders of its outputs.
  ///   - state: what holds already, see ``begin()``.
  /// - Returns: what holds from now on, but for limits.
  /// - Throws: why the kernel did not do what it can.
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

  /// Has the kernel take something away from the process.
  ///
  /// - Parameter call: the system call: 0, or errno says why not.
  /// - Returns: false where the kernel, or a sandbox around the process, has no such thing.
  /// - Throws: what kept a kernel from it that does it at other times.
  private static func isHeld(_ call: () -> Int32) throws(SystemError) -> Bool {
    if call() == 0 { return true }
    let error = SystemError(errno)
    guard isMissing(error) else { throw error }
    return false
  }

  /// True for an error of a kernel without what was asked for, or of a sandbox around the process that refuses it.
  static func isMissing(_ error: SystemError) -> Bool {
    [EINVAL, ENOSYS, EOPNOTSUPP, EPERM, EACCES].contains(error.code)
  }

  private static func failure(_ error: SystemError) -> EditError {
    EditError(.renderer, "liveedit-render cannot confine itself (\(error))", remedy: "try again later")
  }

  /// Limits the process; what is limited further already stays so.
  ///
  /// - Parameter limits: the most that it may take.
  /// - Returns: the limits that hold; nil where a sandbox around the process lets none be set.
  /// - Throws: why the kernel did not do what it can.
  package static func limit(to limits: WorkLimits) throws(EditError) -> WorkLimits? {
    guard isWanted else { return nil }
    do throws(SystemError) {
      return try ResourceLimits.lower(to: limits)
    } catch {
      if isMissing(error) { return nil }
      throw failure(error)
    }
  }

  /// Limits the memory and the time of the process while it does some work, and not beyond that.
  ///
  /// - Parameters:
  ///   - limits: the most that it may take until then.
  ///   - work: what it does.
  /// - Returns: what that returns.
  /// - Throws: why the kernel did not do what it can.
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

  /// Folders with fonts and what tells of them, as fontconfig of Debian looks for them.
  package static let fontFolders = [
    "/etc/fonts", "/usr/share/fontconfig", "/usr/share/fonts", "/usr/local/share/fonts",
    "/usr/share/X11/fonts", "/var/cache/fontconfig",
  ]
}
