import Glibc

/// Other programs: in the place of this one, or on their own.
package enum Program {
  /// Puts a program in the place of this one. Its process stays, with its terminal, its signals and whoever waits for it.
  ///
  /// The corresponding C function is `execv`.
  ///
  /// - Parameters:
  ///   - executable: the program's path.
  ///   - arguments: what follows the program's own name.
  /// - Returns: why it could not be done.
  package static func replace(with executable: String, arguments: [String]) -> SystemError {
    var words: [UnsafeMutablePointer<CChar>?] = ([executable] + arguments).map { strdup($0) } + [nil]
    execv(executable, &words)
    let failure = SystemError(errno)
    for word in words { free(word) }
    return failure
  }

  /// Starts a program that goes on by itself, in a session of its own, and reads and writes nothing here.
  ///
  /// The corresponding C function is `posix_spawnp` with `POSIX_SPAWN_SETSID`.
  ///
  /// - Parameters:
  ///   - name: the program, found as a shell finds it.
  ///   - arguments: what follows the program's own name.
  /// - Throws: ``SystemError`` when it is not there or cannot be started.
  package static func start(_ name: String, arguments: [String]) throws(SystemError) {
    // POSIX_SPAWN_SETSID of glibc, which is declared under _GNU_SOURCE alone.
    _ = try spawn(name, arguments, flags: 0x80) { actions in
      for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
        posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
      }
    }
  }

  /// Starts a program that no signal is held back from.
  ///
  /// The corresponding C function is `posix_spawnp`.
  ///
  /// - Parameters:
  ///   - name: the program's path, or its name, found as a shell finds it.
  ///   - arguments: what follows the program's own name.
  ///   - environment: the variables of this process that the program gets; nil for all of them.
  ///   - flags: of its attributes.
  ///   - connect: says what its descriptors are.
  /// - Returns: its process identifier.
  static func spawn(
    _ name: String, _ arguments: [String], environment: [String]? = nil, flags: Int16 = 0,
    connect: (inout posix_spawn_file_actions_t) -> Void
  ) throws(SystemError) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    connect(&actions)
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK) | flags)
    var words: [UnsafeMutablePointer<CChar>?] = ([name] + arguments).map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var identifier: pid_t = 0
    let failure: Int32
    if let environment {
      var kept =
        environment.compactMap { variable in
          getenv(variable).flatMap { strdup(variable + "=" + String(cString: $0)) }
        }.map(Optional.some) + [nil]
      defer { for word in kept { free(word) } }
      failure = posix_spawnp(&identifier, name, &actions, &attributes, &words, &kept)
    } else {
      failure = posix_spawnp(&identifier, name, &actions, &attributes, &words, environ)
    }
    guard failure == 0 else { throw SystemError(failure) }
    return identifier
  }
}
