import Foundation
import TestSupport
import Testing

@testable import FileSystem

/// The server is liveedit's helper. It answers a line that is not a job with an error, and exits with 1.
@Suite(.serialized, .enabled(if: Tools.canCopyHelper)) struct ForkServerTests {
  private static let helper = TestFiles.programs.appendingPathComponent("liveedit-render").path

  private static func server() throws -> ForkServer {
    try ForkServer(executable: helper, arguments: [], environment: ["LD_LIBRARY_PATH"])
  }

  /// Waits until the process no longer exists and returns whether it ended.
  private static func isGone(_ identifier: Int32) -> Bool {
    for _ in 0..<1000 {
      guard let process = RunningProcess(identifier), (try? process.status("State")) != ["State:\tZ (zombie)"]
      else { return true }
      usleep(10_000)
    }
    return false
  }

  private static func answer(of child: ChildProcess) throws -> [String: [String: [String: String]]] {
    #expect(try child.send(Array("no job\n".utf8)[...], waiting: 10_000) == 7)
    let line = try ChildProcessTests().output(of: child)
    return try JSONDecoder().decode([String: [String: [String: String]]].self, from: Data(line.utf8))
  }

  @Test func copiesAnswerAsProgramsDoThatWereStarted() throws {
    let program = try ChildProcess(executable: Self.helper)
    let expected = try Self.answer(of: program)
    #expect(expected.keys.contains("error"))
    #expect(program.wait(milliseconds: 10_000) == .exited(1))
    let server = try Self.server()
    let copies = [try server.copy(), try server.copy(), try server.copy()]
    for copy in copies.reversed() {
      #expect(copy.wait(milliseconds: 0) == nil)
      #expect(try Self.answer(of: copy) == expected)
      #expect(copy.wait(milliseconds: 10_000) == .exited(1))
      #expect(copy.end() == nil)
    }
  }

  /// A copy has the same descriptors, blocked, ignored and caught signals, rights and environment.
  @Test func aCopyIsAsAProgramThatWasStarted() throws {
    let program = try ChildProcess(executable: Self.helper, environment: ["LD_LIBRARY_PATH"])
    let copy = try Self.server().copy()
    let (started, copied) = try (
      #require(RunningProcess(program.identifier)), #require(RunningProcess(copy.identifier))
    )
    // The confinement shows that the process has reached the point where it waits for a job.
    for process in [started, copied] {
      for _ in 0..<1000 where try process.status("Seccomp") != ["Seccomp:\t2"] { usleep(10_000) }
      let descriptors = try FileManager.default.contentsOfDirectory(
        atPath: "/proc/\(process.identifier)/fd")
      #expect(descriptors.sorted() == ["0", "1", "2"])
    }
    let words = ["Name", "Umask", "SigBlk", "SigIgn", "SigCgt", "CapEff", "NoNewPrivs", "Seccomp", "Threads"]
    for word in words {
      let line = try copied.status(word)
      #expect(try line.count == 1 && line == started.status(word))
    }
    #expect(try copied.file("environ") == started.file("environ"))
    #expect(try copied.file("limits") == started.file("limits"))
    withExtendedLifetime((program, copy)) {}
  }

  @Test func howACopyEndedIsKnown() throws {
    let server = try Self.server()
    let (first, second) = (try server.copy(), try server.copy())
    kill(first.identifier, SIGSTOP)
    #expect([nil, .signalled(SIGKILL)].contains(first.end()))
    kill(second.identifier, SIGSEGV)
    #expect(second.wait(milliseconds: 10_000) == .signalled(SIGSEGV))
    for copy in [first, second] { #expect(Self.isGone(copy.identifier)) }
  }

  @Test func aCopyEndsWithItsValue() throws {
    let server = try Self.server()
    var copy: ChildProcess? = try server.copy()
    let identifier = try #require(copy?.identifier)
    #expect(RunningProcess(identifier)?.parent == server.identifier)
    copy = nil
    #expect(Self.isGone(identifier))
    #expect(try Self.answer(of: server.copy()).keys.contains("error"))
  }

  /// The server process lives until the last copy that a caller may wait for is released.
  @Test func aServerEndsWithItsValueAndItsCopies() throws {
    var server: ForkServer? = try Self.server()
    var copy = try server?.copy()
    let identifier = try #require(server?.identifier)
    server = nil
    #expect(try Self.answer(of: #require(copy)).keys.contains("error"))
    #expect(copy?.wait(milliseconds: 10_000) == .exited(1))
    copy = nil
    #expect(Self.isGone(identifier))
  }

  /// No other process could end a copy that hangs.
  @Test func copiesEndWithAServerThatIsKilled() throws {
    let server = try Self.server()
    let copy = try server.copy()
    #expect(copy.wait(milliseconds: 0) == nil)
    kill(server.identifier, SIGKILL)
    #expect(copy.wait(milliseconds: 10_000) == .signalled(SIGKILL))
    #expect(throws: SystemError.self) { try server.copy() }
    #expect(Self.isGone(copy.identifier))
  }

  /// If the process that requested the copies ends, the copies may finish on their own. Copies that do not are killed.
  @Test func copiesEndWithWhoeverStartedTheServer() throws {
    let script = """
      import os, signal, socket, subprocess, sys, time
      os.open("/dev/null", os.O_RDONLY)
      own, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
      os.dup2(theirs.fileno(), 3)
      subprocess.Popen([sys.argv[1], "--fork-server"], pass_fds=[3], start_new_session=True)
      for number in range(2):
          talk, state = socket.socketpair(), socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
          socket.send_fds(own, [b"x"], [talk[1].fileno(), state[1].fileno()])
          copy = int.from_bytes(state[0].recv(4), sys.byteorder)
          print(copy, flush=True)
          if number == 0:
              for _ in range(1000):
                  if "Seccomp:\\t2" in open(f"/proc/{copy}/status").read():
                      break
                  time.sleep(0.01)
              os.kill(copy, signal.SIGSTOP)
      os.kill(os.getpid(), signal.SIGKILL)
      """
    let killed = try Tools.run(["python3", "-c", script, Self.helper])
    let copies = killed.lines.compactMap { Int32($0) }
    #expect(copies.count == 2)
    for copy in copies { #expect(Self.isGone(copy)) }
  }

  @Test func aProgramThatIsNoServerMakesNoCopy() throws {
    let server = try ForkServer(executable: "/bin/true", arguments: [], environment: [])
    #expect(throws: SystemError.self) { try server.copy() }
    #expect(throws: SystemError.notFound) {
      try ForkServer(executable: "/nonexistent", arguments: [], environment: [])
    }
  }
}
