import EditModel
import Foundation
import TestSupport
import Testing

@testable import FileSystem

/// Attempts of a helper that a file has taken over: nothing succeeds that should not. The attempts are system calls written in C
/// (Tests/Attempts), made once by a process that is confined as the helper is and once by one that is not.
@Suite(.serialized) struct ConfinementTests {
  private static let programs = TestFiles.programs
  private static let probe = programs.appendingPathComponent("confinement-probe").path

  private let folder: TemporaryFolder
  private let output: URL
  private let other: URL

  init() throws {
    folder = try TemporaryFolder()
    (output, other) = (folder.file("out"), folder.file("o"))
    for made in [output, other] {
      try FileManager.default.createDirectory(at: made, withIntermediateDirectories: false)
    }
    try folder.write(Array("a photo".utf8), to: "photo")
  }

  /// The confinement of the probe.
  private func state() throws -> ConfinementState {
    let told = try Tools.run([Self.probe, "works", folder.file("photo").path, output.path])
    let text = try #require(told.text.split(separator: " ", maxSplits: 1).last)
    return try JSONDecoder().decode(ConfinementState.self, from: Data(text.utf8))
  }

  /// Somebody who listens at a port and at a socket in the other folder, and whose process is attacked.
  private func victim() throws -> (process: Process, port: String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    let script = """
      import socket, sys, time
      inner, outer = socket.socket(socket.AF_UNIX), socket.socket()
      inner.bind(sys.argv[1] + "/door"); inner.listen(64)
      outer.bind(("127.0.0.1", 0)); outer.listen(64)
      open(sys.argv[1] + "/port.new", "w").write(str(outer.getsockname()[1]))
      import os; os.rename(sys.argv[1] + "/port.new", sys.argv[1] + "/port")
      time.sleep(600)
      """
    process.arguments = ["python3", "-c", script, other.path]
    (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
    try process.run()
    for _ in 0..<500 {
      if let port = try? String(contentsOf: other.appendingPathComponent("port"), encoding: .utf8) {
        return (process, port)
      }
      usleep(20_000)
    }
    kill(process.processIdentifier, SIGKILL)
    throw ToolFailure("nobody listens")
  }

  /// The result of an attempt: “done”, “refused” with a number, or the signal.
  private func attempt(_ name: String, isConfined: Bool, _ port: String, _ victim: Int32) throws -> String {
    try? FileManager.default.removeItem(at: other.appendingPathComponent("new"))
    try Data("secret".utf8).write(to: other.appendingPathComponent("secret"))
    let told = try Tools.run([
      Self.probe, isConfined ? "confined" : "free", name, folder.file("photo").path, output.path, other.path,
      port, String(victim),
    ])
    if told.status == 31 { return "killed" }
    // A program that took the process's place says nothing, and exits well.
    return told.text.isEmpty && told.status == 0 ? "done" : told.lines.first ?? "ended \(told.status)"
  }

  @Test func anAttackGetsNowhere() throws {
    let state = try state()
    let names = try Tools.output(Self.probe, "list").lines
    #expect(names.count >= 40)
    let (process, port) = try victim()
    // Signals that end programs kindly may be held back in the tests.
    defer { kill(process.processIdentifier, SIGKILL) }
    let victim = process.processIdentifier
    var free = 0
    for name in names {
      let unconfined = try attempt(name, isConfined: false, port, victim)
      if unconfined == "done" { free += 1 }
      let confined = try attempt(name, isConfined: true, port, victim)
      // What Landlock refuses alone is open where a kernel has none.
      let needsFiles = [
        "read_file", "read_passwd", "read_through_link", "write_file", "make_file", "append", "remove_file",
        "list_folder", "list_root", "read_own_environment", "read_own_maps", "write_own_memory",
        "read_parent_environment", "list_processes", "read_kernel_settings", "load_library",
      ]
      let isRefused = needsFiles.contains(name) ? state.landlock > 0 : state.allowedCalls > 0
      if isRefused {
        #expect(confined != "done", "\(name): \(confined), and \(unconfined) without confinement")
      }
    }
    // A test that can fail: the same attempts mostly succeed where nothing is confined.
    #expect(free >= 30, "\(free) of \(names.count) succeed")
  }

  /// This machine's kernel has all of it; where that is not so, the helper says so.
  @Test func theStateIsThatOfTheKernel() throws {
    let state = try state()
    #expect(state.isWithoutNewPrivileges && state.isWithoutCapabilities && state.limits != nil)
    let lsm = try? String(contentsOfFile: "/sys/kernel/security/lsm", encoding: .utf8)
    if let lsm { #expect((state.landlock > 0) == lsm.contains("landlock")) }
    #expect(state.allowedCalls > 60)
  }

  /// A kernel that lacks a part gives the others, a job can be done in any case, and the state says what holds.
  @Test func whatTheKernelLacksIsSaid() throws {
    guard try Tools.run(["strace", "-o", "/dev/null", "true"]).status == 0 else { return }
    let whole = try state()
    for (call, error) in [
      ("landlock_create_ruleset", "EOPNOTSUPP"), ("seccomp", "EINVAL"), ("prctl", "EINVAL"),
    ] {
      let told = try Tools.run([
        "strace", "-f", "-o", "/dev/null", "-e", "trace=\(call)", "-e", "inject=\(call):error=\(error)",
        Self.probe,
        "works", folder.file("photo").path, output.path,
      ])
      #expect(told.status == 0 && told.text.hasPrefix("done"), "\(call): \(told.text)")
      let text = told.text.split(separator: " ", maxSplits: 1).last.map(String.init) ?? ""
      let state = try JSONDecoder().decode(ConfinementState.self, from: Data(text.utf8))
      #expect(state.limits == whole.limits)
      // One holds without the other, and both need that no new privileges can be had.
      #expect(state.landlock == (call == "seccomp" ? whole.landlock : 0))
      #expect(state.allowedCalls == (call == "landlock_create_ruleset" ? whole.allowedCalls : 0))
      #expect(state.isWithoutNewPrivileges == (call != "prctl"))
    }
  }

  /// What a job needs can be done.
  @Test func aJobCanBeDone() throws {
    let told = try Tools.run([Self.probe, "works", folder.file("photo").path, output.path])
    #expect(told.status == 0 && told.text.hasPrefix("done"), "\(told.text)")
    // A photo that is a link is the file behind it.
    try FileManager.default.createSymbolicLink(
      at: folder.file("link"), withDestinationURL: folder.file("photo"))
    #expect(
      try Tools.run([Self.probe, "works", folder.file("link").path, output.path]).text.hasPrefix("done"))
  }

  /// Of the real helper: every wall stands before there is a second thread, and before a file of the job is opened.
  @Test func theWallsStandBeforeAFileIsOpened() throws {
    guard try state().landlock > 0, try Tools.run(["strace", "-o", "/dev/null", "true"]).status == 0 else {
      return
    }
    let (photo, log) = (folder.file("photo").path, folder.file("log").path)
    let script = """
      printf '%s\\n' '{"preview":{"_0":{"photo":"\(photo)"}}}' | strace -f -y -o '\(log)' \
        -e trace=seccomp,landlock_restrict_self,prlimit64,clone,openat '\(Self.programs.path)/liveedit-render'
      """
    _ = try Tools.run(["sh", "-c", script])
    let calls = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
    func places(_ part: String) -> [Int] { calls.indices.filter { calls[$0].contains(part) } }
    let isWhole = try #require(places("landlock_restrict_self(").first { calls[$0].hasSuffix("= 0") })
    let filtered = try #require(places("seccomp(SECCOMP_SET_MODE_FILTER").last { calls[$0].hasSuffix("= 0") })
    let thread = try #require(places("clone(").first { calls[$0].contains("CLONE_THREAD") })
    #expect(filtered < isWhole && isWhole < thread)
    let opened = places("<\(photo)>").filter { calls[$0].contains("= ") && !calls[$0].contains("O_PATH") }
    #expect(!opened.isEmpty && opened.allSatisfy { $0 > isWhole })
  }

  /// Of the real helper, which waits for a question: one thread of it tells what holds, the kernel's own words.
  @Test(arguments: Tools.canCopyHelper ? [false, true] : [false]) func theHelperItselfIsConfined(isCopy: Bool)
    throws
  {
    let path = Self.programs.appendingPathComponent("liveedit-render").path
    let helper =
      try isCopy
      ? ForkServer(executable: path, arguments: [], environment: ["LD_LIBRARY_PATH"]).copy()
      : ChildProcess(executable: path)
    let process = try #require(RunningProcess(helper.identifier))
    // What needs no job holds before there is one.
    for _ in 0..<500 where try process.status("Seccomp") != ["Seccomp:\t2"] { usleep(20_000) }
    // Landlock holds for the thread that asks for it, and those that it starts.
    #expect(try process.status("NoNewPrivs", "Seccomp") == ["NoNewPrivs:\t1", "Seccomp:\t2"])
    #expect(try process.status("Threads") == ["Threads:\t1"] || Tools.isSanitized)
    let photo = folder.file("photo").path
    let question = Array("{\"preview\":{\"_0\":{\"photo\":\"\(photo)\"}}}\n".utf8)
    #expect(try helper.send(question[...], waiting: 10_000) == question.count)
    guard case .bytes = try helper.receive(waiting: 60_000) else { throw ToolFailure("no answer") }
    let limits = try process.file("limits")
    func limit(_ name: String) -> Int? {
      let line = limits.split(separator: "\n").first { $0.hasPrefix(name) }
      return line.flatMap { Int($0.dropFirst(name.count).split(separator: " ").first ?? "") }
    }
    #expect(limit("Max core file size") == 0 && limit("Max open files") == 256)
    // A sanitizer's shadow counts as memory, which is not limited then.
    #if !SANITIZED
      #expect(try #require(limit("Max data size")) < 64 << 30)
    #endif
    #expect(limit("Max cpu time") != nil && limit("Max file size") != nil)
    // The thread that decodes is not the first one.
    let threads = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(helper.identifier)/task")
    #expect(threads.count > 1)
    for thread in threads {
      let status = try process.file("task/\(thread)/status").split(separator: "\n")
      #expect(status.contains("NoNewPrivs:\t1") && status.contains("Seccomp:\t2"))
    }
    withExtendedLifetime(helper) {}
  }
}
