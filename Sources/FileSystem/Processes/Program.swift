import Glibc

/// Functions that run other programs, either in place of this program or independently.
package enum Program {
  /// Replaces this program with another program in the same process. The process keeps its terminal and its signals,
  /// and its parent process keeps waiting for the process.
  ///
  /// The corresponding C function is `execv`.
  ///
  /// - Parameters:
  ///   - executable: The path of the program.
  ///   - arguments: The arguments after the program's own name.
  /// - Returns: The reason for the failure. On success, this function does not return.
  package static func replace(with executable: String, arguments: [String]) -> SystemError {
    var words: [UnsafeMutablePointer<CChar>?] = ([executable] + arguments).map { strdup($0) } + [nil]
    execv(executable, &words)
    let failure = SystemError(errno)
    for word in words { free(word) }
    return failure
  }

  /// Starts an independent program in its own session, without access to this program's input and output.
  ///
  /// The corresponding C function is `posix_spawnp` with `POSIX_SPAWN_SETSID`.
  ///
  /// - Parameters:
  ///   - name: The name of the program, which is looked up as in a shell.
  ///   - arguments: The arguments after the program's own name.
  /// - Throws: ``SystemError`` if the program does not exist or cannot be started.
  package static func start(_ name: String, arguments: [String]) throws(SystemError) {
    // The value of glibc's POSIX_SPAWN_SETSID, which is only declared under _GNU_SOURCE.
    _ = try spawn(name, arguments, flags: 0x80) { actions in
      for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
        posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
      }
    }
  }

  /// Starts a program with no signals blocked.
  ///
  /// The corresponding C function is `posix_spawnp`.
  ///
  /// - Parameters:
  ///   - name: The path of the program, or its name, which is looked up as in a shell.
  ///   - arguments: The arguments after the program's own name.
  ///   - environment: The names of the environment variables that the program inherits from this process; nil for all
  ///     variables.
  ///   - flags: The flags of the spawn attributes.
  ///   - connect: A closure that sets up the program's descriptors.
  /// - Returns: The process ID of the program.
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
