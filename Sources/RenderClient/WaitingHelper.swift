import Basics
import EditModel
import FileSystem
import Synchronization

/// A helper that was started ahead of time: it has loaded its libraries, knows no job, and waits. Each does one job, so that a
/// file that breaks it falsifies no other; the next one need not be waited for.
///
/// Most commands have one job, whose helper is started. Once a second one was asked for they are copies that a ``ForkServer`` makes,
/// which cost an eighth. They end when this process does, since their input ends then.
final class WaitingHelper: Sendable {
  private struct State {
    var helper: ChildProcess?
    var server: ForkServer?
    var hasBegun = false
    /// True if the server has made a copy.
    var hasCopied = false
    /// True if the program makes no copies: something stands in for it.
    var isWithoutServer = false
  }

  private let state = Mutex(State())

  /// The helper that waits; nil where none does.
  var helper: ChildProcess? { state.withLock { $0.helper } }

  /// Gives a helper for a job, and makes the next one where more are to be expected.
  ///
  /// - Parameter path: the helper's program.
  /// - Throws: ``SystemError`` when it cannot be started.
  func take(_ path: String) throws(SystemError) -> ChildProcess {
    // One that fails may take its time to end.
    var failed: [ForkServer] = []
    let taken = state.withLock { state -> ChildProcess? in
      guard state.hasBegun else {
        state.hasBegun = true
        return nil
      }
      // Something may have ended it meanwhile.
      let waiting = state.helper.flatMap { $0.wait(milliseconds: 0) == nil ? $0 : nil }
      let taken = waiting ?? Self.copy(path, &state, &failed)
      state.helper = Self.copy(path, &state, &failed) ?? (try? Self.start(path))
      return taken
    }
    if let taken { return taken }
    return try Self.start(path)
  }

  /// Forgets what is there: whoever broke a helper may have learned where things lie in its memory, and in that of its copies.
  func beginAnew() {
    let forgotten = state.withLock { state in
      defer { (state.helper, state.server, state.hasCopied) = (nil, nil, false) }
      return (state.helper, state.server)
    }
    forgotten.0?.end()
  }

  private static func copy(
    _ path: String, _ state: inout State, _ failed: inout [ForkServer]
  ) -> ChildProcess? {
    guard !state.isWithoutServer else { return nil }
    do {
      let server =
        try state.server
        ?? ForkServer(executable: path, arguments: arguments, environment: environment)
      state.server = server
      let copy = try server.copy()
      state.hasCopied = true
      return copy
    } catch {
      if let server = state.server { failed.append(server) }
      state.isWithoutServer = !state.hasCopied
      (state.server, state.hasCopied) = (nil, false)
      return nil
    }
  }

  /// Starts a helper.
  ///
  /// - Throws: ``SystemError`` when it cannot be started.
  static func start(_ path: String) throws(SystemError) -> ChildProcess {
    try ChildProcess(executable: path, arguments: arguments, environment: environment)
  }

  /// The limits of what it reads, and whether it needs a sandbox, are those of this process.
  private static var arguments: [String] {
    let limits = ReadingLimit.text
    return (limits.isEmpty ? [] : [limits])
      + (HelperRenderer.requiresSandbox ? [ConfinementState.requirement] : [])
  }

  /// Nothing of the environment is its business: what is in there (tokens, addresses) stays from whoever breaks it. The
  /// search path of the loader is needed before it runs.
  private static let environment = ["LD_LIBRARY_PATH"]
}
