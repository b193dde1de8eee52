import Foundation
import Synchronization

/// The independent checker of Live Photos, a Python script that LIVEEDIT_CHECKER names.
///
/// One Python process loads the script and its libraries once, because that takes longer than most checks. For each
/// check, the process forks a copy of itself that runs the script as a separate process would.
public enum Checker {
  private static let script = ProcessInfo.processInfo.environment["LIVEEDIT_CHECKER"]

  /// Whether the environment names a checker.
  public static var isThere: Bool { script != nil }

  /// Runs the checker.
  ///
  /// - Parameter arguments: The arguments of the script.
  /// - Returns: The exit status and both output streams combined; nil if the environment does not name a checker.
  public static func ask(_ arguments: String...) throws -> ToolOutput? { try ask(arguments) }

  /// Runs the checker with its arguments in an array.
  public static func ask(_ arguments: [String]) throws -> ToolOutput? {
    guard let script else { return nil }
    let socket = try server.withLock { known in
      let server = try known ?? start(script)
      known = server
      return server.socket
    }
    let connection = try RawConnection(socket: socket, seconds: 600)
    connection.send([UInt8](try JSONEncoder().encode(arguments)) + [10])
    let said = connection.receiveAll()
    // The exit status is the last line.
    guard let end = said.dropLast().lastIndex(of: 10), let status = Int32(text(said[(end + 1)...].dropLast()))
    else { throw ToolFailure("the checker said: \(text(said[...]))") }
    return ToolOutput(status: status, standardOutput: Data(said[...end]), standardError: "")
  }

  private static func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

  private static let server = Mutex<(child: Child, socket: String)?>(nil)

  /// Starts the server and waits until it accepts connections.
  private static func start(_ script: String) throws -> (child: Child, socket: String) {
    let (socket, errors) = (Child.home.appendingPathComponent("checker"), try UnnamedFile())
    try FileManager.default.createDirectory(at: Child.home, withIntermediateDirectories: true)
    let child = try Child(
      ["python3", "-c", program, script, socket.path], errors: .descriptor(errors.descriptor))
    while child.isRunning {
      if (try? RawConnection(socket: socket.path)) != nil { return (child, socket.path) }
      usleep(20_000)
    }
    throw ToolFailure("the checker does not start: \(text([UInt8](try errors.content())[...]))")
  }

  private static let program = """
    import json, os, socketserver, sys, traceback
    script, place = sys.argv[1:]
    tests = os.getppid()
    code = compile(open(script).read(), script, "exec")
    # Under another name it does no more than load its libraries.
    exec(code, {"__name__": "checker"})

    class Question(socketserver.StreamRequestHandler):
        def handle(self):
            line = self.rfile.readline()
            if not line:
                return
            os.dup2(self.connection.fileno(), 1)
            os.dup2(1, 2)
            sys.argv = [script] + json.loads(line)
            status = 0
            try:
                exec(code, {"__name__": "__main__", "__file__": script})
            except SystemExit as end:
                status = end.code or 0
            except BaseException:
                traceback.print_exc()
                status = 1
            print(status, flush=True)

    class Server(socketserver.ForkingMixIn, socketserver.UnixStreamServer):
        request_queue_size = 64
        def service_actions(self):
            super().service_actions()
            if os.getppid() != tests:
                os._exit(0)

    Server(place, Question).serve_forever()
    """
}
