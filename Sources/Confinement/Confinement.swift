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

  /// Makes the filter of system calls, which every copy of this process can load; nil where that cannot be done now.
  package static func filter() -> SystemCallFilter? { isWanted ? try? SystemCallFilter() : nil }

  /// Confines the process as far as that is possible before it knows its job.
  ///
  /// - Parameter filter: the filter of system calls that was made ahead of time; nil to make it now.
  /// - Returns: what holds from now on.
  /// - Throws: why the kernel did not do what it can.
  package static func begin(with filter: SystemCallFilter?) throws(EditError) -> ConfinementState {
    var state = ConfinementState()
    guard isWanted else { return state }
    // Whoever started liveedit may have left files open in it.
    guard liveedit_close_from(UInt32(STDERR_FILENO) + 1) == 0 else { throw failure(SystemError(errno)) }
    state.isWithoutCapabilities = Privileges.keepFileRights()
    state.isWithoutNewPrivileges = Privileges.forgoNew()
    do throws(SystemError) {
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

  private static func failure(_ error: SystemError) -> EditError {
    EditError(.renderer, "liveedit-render cannot confine itself (\(error))", remedy: "try again later")
  }

  /// Limits the process; what is limited further already stays so.
  ///
  /// - Parameter limits: the most that it may take.
  /// - Returns: the limits that hold; nil where they cannot be set.
  package static func limit(to limits: WorkLimits) -> WorkLimits? {
    isWanted ? ResourceLimits.lower(to: limits) : nil
  }

  /// Folders with fonts and what tells of them, as fontconfig of Debian looks for them.
  package static let fontFolders = [
    "/etc/fonts", "/usr/share/fontconfig", "/usr/share/fonts", "/usr/local/share/fonts",
    "/usr/share/X11/fonts", "/var/cache/fontconfig",
  ]
}

/// Rights that go beyond those of the user.
enum Privileges {
  /// Forgoes privileges that a program which is run might have by its file.
  ///
  /// The corresponding C function is `prctl` with `PR_SET_NO_NEW_PRIVS`.
  ///
  /// - Returns: false where the kernel does not know of it.
  static func forgoNew() -> Bool { liveedit_forgo_privileges() == 0 }

  /// Keeps, of an administrator's rights, those to read and write what belongs to others (`CAP_DAC_OVERRIDE`,
  /// `CAP_DAC_READ_SEARCH`): the originals may. Raising limits, tracing and the like go.
  ///
  /// The corresponding C function is `capset`.
  static func keepFileRights() -> Bool {
    liveedit_keep_capabilities(1 << UInt32(CAP_DAC_OVERRIDE) | 1 << UInt32(CAP_DAC_READ_SEARCH)) == 0
  }
}
