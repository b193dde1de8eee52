import Basics
import EditModel
import FileSystem
import Synchronization

/// A helper that is started in advance: it has already loaded its libraries and waits for a job. Each helper runs a
/// single job, so that a file that takes control of the helper cannot corrupt the results of another job. No job has to
/// wait for a helper to start, because the next helper is already running.
///
/// Most commands have a single job, for which a helper is started. From the second job on, a ``ForkServer`` creates
/// helpers by forking, which takes an eighth of the time. When this process exits, the input of the helpers ends, and
/// the helpers exit too.
final class WaitingHelper: Sendable {
  private struct State {
    var helper: ChildProcess?
    var server: ForkServer?
    var hasBegun = false
    /// Whether the fork server has created a helper.
    var hasCopied = false
    /// Whether helpers are started without a fork server, because the program at the helper's path cannot fork itself.
    var isWithoutServer = false
  }

  private let state = Mutex(State())

  /// The waiting helper, or nil if no helper is waiting.
  var helper: ChildProcess? { state.withLock { $0.helper } }

  /// Returns a helper for a job. If more jobs are likely, prepares the next helper.
  ///
  /// - Parameter path: The path of the helper.
  /// - Throws: ``SystemError`` if the helper cannot be started.
  func take(_ path: String) throws(SystemError) -> ChildProcess {
    // A fork server that failed may take some time to end, so it is released outside the lock.
    var failed: [ForkServer] = []
    let taken = state.withLock { state -> ChildProcess? in
      guard state.hasBegun else {
        state.hasBegun = true
        return nil
      }
      // The waiting helper may have been terminated in the meantime.
      let waiting = state.helper.flatMap { $0.wait(milliseconds: 0) == nil ? $0 : nil }
      let taken = waiting ?? Self.copy(path, &state, &failed)
      state.helper = Self.copy(path, &state, &failed) ?? (try? Self.start(path))
      return taken
    }
    if let taken { return taken }
    return try Self.start(path)
  }

  /// Discards the waiting helper and the fork server. A file that took control of a helper may have learned its memory
  /// layout, which all helpers forked by the server share.
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
  /// - Throws: ``SystemError`` if the helper cannot be started.
  static func start(_ path: String) throws(SystemError) -> ChildProcess {
    try ChildProcess(executable: path, arguments: arguments, environment: environment)
  }

  /// The arguments of the helper: the reading limits of this process, and whether the sandbox is required.
  private static var arguments: [String] {
    let limits = ReadingLimit.text
    return (limits.isEmpty ? [] : [limits])
      + (HelperRenderer.requiresSandbox ? [ConfinementState.requirement] : [])
  }

  /// The only environment variable that is passed to the helper. The dynamic loader needs this search path before the
  /// helper starts. Malicious files cannot read other variables, which may contain tokens or addresses.
  private static let environment = ["LD_LIBRARY_PATH"]
}
