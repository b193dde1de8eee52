import Foundation
import TestSupport
import Testing

/// Runs a script that tests the standard streams of a separate process (Tests/FailingCalls).
@Suite struct StandardStreamTests {
  private func run(_ script: String) throws -> ToolOutput {
    let folder = try TemporaryFolder()
    return try Tools.run(["sh", "-c", script, Programs.failingCalls, folder.url.path], in: folder.url)
  }

  @Test func programsGetPathsAndJSONAndPeopleSafeLines() throws {
    let output = try run("\"$0\" print .")
    #expect(output.status == 0 && output.standardError == "")
    #expect(output.text == "a\\u{1b}[2Jb\\u{a}c\n{\"a\":\"\\u202e\"}\nx\ty\0")
  }

  @Test(arguments: [
    ("\"$0\" print . > /dev/full", "no space left on device"), ("\"$0\" print . >&-", "bad file descriptor"),
  ])
  func whatCannotBeWrittenIsToldAtTheEnd(_ script: String, _ problem: String) throws {
    let output = try run(script)
    #expect(output.status == 1 && output.standardError.contains(problem), "\(output.standardError)")
  }

  /// A file that the program opens does not take the place of a closed standard output.
  @Test func noFileTakesThePlaceOfAStream() throws {
    let output = try run("printf precious > a; \"$0\" print . >&- 2>&- <&-; cat a")
    #expect(output.text == "precious")
  }

  @Test func aStatusLineGoesAwayBeforeAnythingElse() throws {
    let terminal = """
      import os, pty, sys, fcntl, termios, struct
      child, descriptor = pty.fork()
      if child == 0:
          fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 40, 0, 0))
          os.execv(sys.argv[1], [sys.argv[1], "print", "."])
      text = b""
      try:
          while piece := os.read(descriptor, 4096): text += piece
      except OSError: pass
      print(repr(text.decode()), os.waitpid(child, 0)[1])
      """
    let output = try Tools.run(["python3", "-c", terminal, Programs.failingCalls])
    let erased = "\\r\\x1b[K"
    #expect(
      output.text
        == "'\\rworking in 37 columns\\x1b[K\(erased)a\\\\u{1b}[2Jb\\\\u{a}c\\r\\n{\"a\":\"\\\\u202e\"}\\r\\nx\\\\u{9}y\\r\\n' 0\n",
      "\(output.standardError)")
  }

  /// If a stream is non-blocking, the program waits for it.
  @Test func aStreamThatDoesNotWaitIsWaitedFor() throws {
    let script = """
      import fcntl, os, subprocess, sys, time
      end, begin = os.pipe()
      fcntl.fcntl(begin, fcntl.F_SETFL, os.O_NONBLOCK); fcntl.fcntl(begin, 1031, 4096)
      filled = os.write(begin, b"x" * 4096)
      program = subprocess.Popen([sys.argv[1], "print", "."], stdout=begin)
      os.close(begin); time.sleep(0.2)
      text = b""
      while piece := os.read(end, 4096): text += piece
      print(filled, len(text), text.endswith(b"x\\ty\\0"), program.wait())
      """
    let output = try Tools.run(["python3", "-c", script, Programs.failingCalls])
    #expect(output.text.hasSuffix(" True 0\n"), "\(output.text)\(output.standardError)")
  }
}
