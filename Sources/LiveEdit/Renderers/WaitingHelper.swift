import Basics
import FileSystem
import Synchronization

/// A helper that was started ahead of time: it has loaded its libraries, knows no job, and waits. Each does one job, so that a
/// file that breaks it falsifies no other; the next one need not be waited for.
///
/// It is started once a second job was asked for: most commands have one. It ends when this process does, since its input
/// ends then.
final class WaitingHelper: Sendable {
  private struct State {
    var helper: ChildProcess?
    var hasBegun = false
  }

  private let state = Mutex(State())

  /// A helper for a job, and starts the next one where more are to be expected.
  ///
  /// - Parameter path: the helper's program.
  /// - Throws: ``SystemError`` when it cannot be started.
  func take(_ path: String) throws(SystemError) -> ChildProcess {
    let taken = state.withLock { state in
      let waiting = state.helper
      state.helper = state.hasBegun ? try? Self.start(path) : nil
      state.hasBegun = true
      // Something may have ended it meanwhile.
      return waiting?.wait(milliseconds: 0) == nil ? waiting : nil
    }
    if let taken { return taken }
    return try Self.start(path)
  }

  /// Starts a helper.
  ///
  /// Nothing of the environment is its business: what is in there (tokens, addresses) stays from whoever breaks it. The
  /// search path of the loader is needed before it runs. The limits of what it reads are those of this process.
  static func start(_ path: String) throws(SystemError) -> ChildProcess {
    let limits = ReadingLimit.text
    return try ChildProcess(
      executable: path, arguments: limits.isEmpty ? [] : [limits], environment: ["LD_LIBRARY_PATH"])
  }
}
