import Basics
import EditModel
import FileSystem
import Synchronization

/// A helper that is started in advance: it has loaded its libraries and waits for a job. Each helper does a single job,
/// so a file that takes control of it cannot corrupt the results of another job. Because the next helper is already
/// running, no job has to wait for its start.
///
/// Most commands have a single job, for which a helper is started. From the second job on, a ``ForkServer`` creates
/// helpers as copies, which takes an eighth of the time. When this process exits, the input of the helpers ends, and
/// they exit too.
final class WaitingHelper: Sendable {
  private struct State {
    var helper: ChildProcess?
    var server: ForkServer?
    var hasBegun = false
    /// Whether the server has created a copy.
    var hasCopied = false
    /// Whether the program cannot create copies of itself because another program takes its place.
    var isWithoutServer = false
  }

  private let state = Mutex(State())

  /// The waiting helper; nil if none is waiting.
  var helper: ChildProcess? { state.withLock { $0.helper } }

  /// Returns a helper for a job, and prepares the next helper if more jobs are likely.
  ///
  /// - Parameter path: The path of the helper.
  /// - Throws: ``SystemError`` if the helper cannot be started.
  func take(_ path: String) throws(SystemError) -> ChildProcess {
    // A server that failed may take some time to end, so it is released outside the lock.
    var failed: [ForkServer] = []
    let taken = state.withLock { state -> ChildProcess? in
      guard state.hasBegun else {
        state.hasBegun = true
        return nil
      }
      // Something may have terminated the helper in the meantime.
      let waiting = state.helper.flatMap { $0.wait(milliseconds: 0) == nil ? $0 : nil }
      let taken = waiting ?? Self.copy(path, &state, &failed)
      state.helper = Self.copy(path, &state, &failed) ?? (try? Self.start(path))
      return taken
    }
    if let taken { return taken }
    return try Self.start(path)
  }

  /// Discards the waiting helper and the server. A file that took control of a helper may have learned its memory
  /// layout, which copies share.
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

  /// The arguments of the helper, which pass on this process's reading limits and its sandbox requirement.
  private static var arguments: [String] {
    let limits = ReadingLimit.text
    return (limits.isEmpty ? [] : [limits])
      + (HelperRenderer.requiresSandbox ? [ConfinementState.requirement] : [])
  }

  /// The only environment variable that the helper receives; the loader needs this search path before the helper
  /// starts. Other variables, which may contain tokens or addresses, stay out of reach of malicious files.
  private static let environment = ["LD_LIBRARY_PATH"]
}
