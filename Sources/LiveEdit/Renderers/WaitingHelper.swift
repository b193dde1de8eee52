import Basics
import FileSystem
import Synchronization

/// A helper that was started ahead of time: it has loaded its libraries, knows no job, and waits. Each does one job, so that a
/// file that breaks it falsifies no other; the next one need not be waited for.
///
/// Most commands have one job, whose helper is started. Once a second one was asked for they are copies that a ``ForkServer`` makes,
/// which cost a twentieth. They end when this process does, since their input ends then.
final class WaitingHelper: Sendable {
  private struct State {
    var helper: ChildProcess?
    var server: ForkServer?
    var hasBegun = false
    /// True if the program makes no copies: something stands in for it.
    var isWithoutServer = false
  }

  private let state = Mutex(State())

  /// The helper that waits; nil where none does.
  var helper: ChildProcess? { state.withLock { $0.helper } }

  /// A helper for a job, and makes the next one where more are to be expected.
  ///
  /// - Parameter path: the helper's program.
  /// - Throws: ``SystemError`` when it cannot be started.
  func take(_ path: String) throws(SystemError) -> ChildProcess {
    let taken = state.withLock { state -> ChildProcess? in
      guard state.hasBegun else {
        state.hasBegun = true
        return nil
      }
      // Something may have ended it meanwhile.
      let taken =
        state.helper.flatMap { $0.wait(milliseconds: 0) == nil ? $0 : nil } ?? Self.copy(path, &state)
      state.helper = Self.copy(path, &state) ?? (try? Self.start(path))
      return taken
    }
    if let taken { return taken }
    return try Self.start(path)
  }

  /// Forgets what is there: whoever broke a helper may have learned where things lie in its memory, and in that of its copies.
  func beginAnew() {
    let forgotten = state.withLock { state in
      defer { (state.helper, state.server) = (nil, nil) }
      return (state.helper, state.server)
    }
    forgotten.0?.end()
  }

  private static func copy(_ path: String, _ state: inout State) -> ChildProcess? {
    guard !state.isWithoutServer else { return nil }
    do {
      let server =
        try state.server ?? ForkServer(executable: path, arguments: arguments, environment: environment)
      state.server = server
      return try server.copy()
    } catch {
      (state.server, state.isWithoutServer) = (nil, true)
      return nil
    }
  }

  /// Starts a helper.
  ///
  /// - Throws: ``SystemError`` when it cannot be started.
  static func start(_ path: String) throws(SystemError) -> ChildProcess {
    try ChildProcess(executable: path, arguments: arguments, environment: environment)
  }

  /// The limits of what it reads are those of this process.
  private static var arguments: [String] {
    let limits = ReadingLimit.text
    return limits.isEmpty ? [] : [limits]
  }

  /// Nothing of the environment is its business: what is in there (tokens, addresses) stays from whoever breaks it. The
  /// search path of the loader is needed before it runs.
  private static let environment = ["LD_LIBRARY_PATH"]
}
