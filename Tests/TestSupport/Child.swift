import Foundation
import Synchronization

/// A program that a test starts. The program is killed when this object is released or when the tests end.
///
/// All programs of the tests are started by this type. A program gets the variables of ``environment``, its own process
/// group, and no descriptors other than its standard streams. No signal is blocked or ignored.
///
/// Foundation's `Process` (Swift 6.3) is less suitable. It notices that a program has ended when a socket closes, and
/// every program that another thread starts with `posix_spawn` at the same moment keeps that socket open.
/// `waitUntilExit` then waits for that program too.
public final class Child: Sendable {
  /// The process identifier.
  public let identifier: pid_t
  private let end = Mutex<End?>(nil)

  /// How a program ended.
  public enum End: Hashable, Sendable {
    /// The program exited with this status.
    case exited(Int32)
    /// A signal with this number ended the program.
    case signalled(Int32)

    /// The exit status, or the number of the signal that ended the program.
    public var status: Int32 {
      switch self {
      case .exited(let status), .signalled(let status): status
      }
    }
  }

  /// The source or destination of a standard stream.
  public enum Stream: Sendable {
    /// No data: `/dev/null`.
    case nothing
    /// A file that is read from, or that output is appended to. A missing file is created.
    case file(URL)
    /// An open descriptor of the test process.
    case descriptor(Int32)
  }

  /// Starts a program.
  ///
  /// The corresponding C function is `posix_spawn`.
  ///
  /// - Parameters:
  ///   - words: The program and its arguments. The program is a path, or a name that is looked up in the program's own
  ///     PATH.
  ///   - folder: The folder to run the program in; nil for the tests' own folder.
  ///   - variables: Variables that replace those of ``environment``.
  ///   - input: The source of standard input.
  ///   - output: The destination of standard output.
  ///   - errors: The destination of standard error.
  /// - Throws: ``ToolFailure`` if the program cannot be started.
  public init(
    _ words: [String], in folder: URL? = nil, environment variables: [String: String] = [:],
    input: Stream = .nothing, output: Stream = .nothing, errors: Stream = .nothing
  ) throws {
    let environment = Self.environment.merging(variables) { $1 }
    guard let path = Self.path(of: words.first ?? "", in: environment["PATH"] ?? "") else {
      throw ToolFailure("\(words): no such program")
    }
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    Self.connect(input, to: STDIN_FILENO, &actions)
    Self.connect(output, to: STDOUT_FILENO, &actions)
    Self.connect(errors, to: STDERR_FILENO, &actions)
    guard let changeFolder = LaterGlibc.changeFolder, let closeFrom = LaterGlibc.closeFrom else {
      throw ToolFailure("glibc is older than 2.34")
    }
    if let folder { _ = changeFolder(&actions, folder.path) }
    _ = closeFrom(&actions, 3)
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    // Uses a separate process group, so that a script that kills its group does not kill the tests.
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))
    var arguments = words.map { strdup($0) } + [nil]
    var assignments = environment.map { strdup("\($0)=\($1)") } + [nil]
    defer { for word in arguments + assignments { free(word) } }
    var started: pid_t = 0
    let failure = posix_spawn(&started, path, &actions, &attributes, &arguments, &assignments)
    guard failure == 0 else { throw ToolFailure("\(words): \(String(cString: strerror(failure)))") }
    identifier = started
    Self.running.withLock { _ = $0.insert(started) }
  }

  deinit {
    signal(SIGKILL)
    wait()
  }

  /// Whether the program is still running.
  public var isRunning: Bool {
    end.withLock { end in
      if end == nil { end = reap(WNOHANG) }
      return end == nil
    }
  }

  /// Sends a signal to the program unless it has ended.
  public func signal(_ number: Int32) {
    // Until the program is reaped, no other process gets its identifier.
    end.withLock { if $0 == nil { kill(identifier, number) } }
  }

  /// Waits until the program has ended, and returns how it ended.
  @discardableResult
  public func wait() -> End {
    if let known = end.withLock({ $0 }) { return known }
    // The program is not reaped yet, so other threads can still send signals.
    var information = siginfo_t()
    while waitid(P_PID, id_t(identifier), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
    return end.withLock { end in
      let found = end ?? reap(0) ?? .exited(-1)
      end = found
      return found
    }
  }

  /// Reaps the program.
  ///
  /// - Returns: How the program ended; nil if it is still running.
  private func reap(_ options: Int32) -> End? {
    var status: Int32 = 0
    while true {
      let found = waitpid(identifier, &status, options)
      if found < 0, errno == EINTR { continue }
      guard found == identifier else { return nil }
      Self.running.withLock { _ = $0.remove(identifier) }
      return status & 0x7F == 0 ? .exited((status >> 8) & 0xFF) : .signalled(status & 0x7F)
    }
  }

  /// The running programs. Values of static properties are never released, so these programs are killed when the tests
  /// end.
  private static let running: Mutex<Set<pid_t>> = {
    atexit { Child.running.withLock { for identifier in $0 { kill(identifier, SIGKILL) } } }
    return Mutex([])
  }()

  private static func connect(
    _ stream: Stream, to descriptor: Int32, _ actions: inout posix_spawn_file_actions_t
  ) {
    let flags = descriptor == STDIN_FILENO ? O_RDONLY : O_WRONLY | O_CREAT | O_APPEND
    switch stream {
    case .nothing: posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", flags, 0)
    case .file(let file): posix_spawn_file_actions_addopen(&actions, descriptor, file.path, flags, 0o644)
    case .descriptor(let other): posix_spawn_file_actions_adddup2(&actions, other, descriptor)
    }
  }

  private static func path(of name: String, in list: String) -> String? {
    if name.contains("/") { return name }
    return list.split(separator: ":").lazy.map { $0 + "/" + name }.first { access($0, X_OK) == 0 }
  }
}

extension Child {
  /// The environment of every program: the tests' variables without the user's settings, cache, state and
  /// configuration.
  public static let environment: [String: String] = {
    let settings = ["QUALITY", "SPEED", "JOBS", "CACHE", "PREVIEWS", "LIMITS", "SANDBOX"]
    let home = Child.home.path
    return ProcessInfo.processInfo.environment
      .filter { name, _ in name != "XDG_RUNTIME_DIR" && !settings.contains { name == "LIVEEDIT_" + $0 } }
      .merging([
        "XDG_STATE_HOME": home, "XDG_CACHE_HOME": home + "/cache", "XDG_CONFIG_HOME": home + "/config",
        "XDG_DATA_HOME": home + "/data", "EXIFTOOL_HOME": home, "CURL_HOME": home, "LC_ALL": "C.UTF-8",
      ]) { $1 }
  }()

  /// The folder for everything that the programs store, which is removed when the tests end.
  static let home: URL = {
    atexit {
      for place in [Child.homePlace, Child.otherHome] { try? FileManager.default.removeItem(at: place) }
    }
    return homePlace
  }()
  private static let homePlace = FileManager.default.temporaryDirectory
    .appendingPathComponent("liveedit-state-\(ProcessInfo.processInfo.processIdentifier)")
  private static let otherHome = homePlace.appendingPathExtension("other")

  /// The beginning of a command line that runs a program as a user without privileges. That user has a separate folder
  /// for state and cache, because each user can read only its own files there.
  public static let asNobody = [
    "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "env", "XDG_STATE_HOME=\(otherHome.path)",
    "XDG_CACHE_HOME=\(otherHome.path)/cache",
  ]
}

/// Functions of glibc 2.34 that Swift's glibc module does not declare.
private enum LaterGlibc {
  typealias ChangeFolder =
    @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, UnsafePointer<CChar>) -> Int32
  typealias CloseFrom = @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32

  static let changeFolder = dlsym(nil, "posix_spawn_file_actions_addchdir_np")
    .map { unsafeBitCast($0, to: ChangeFolder.self) }
  static let closeFrom = dlsym(nil, "posix_spawn_file_actions_addclosefrom_np")
    .map { unsafeBitCast($0, to: CloseFrom.self) }
}
