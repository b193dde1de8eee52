import EditModel
import Foundation
import TestSupport
import Testing

@testable import FileSystem

/// The helper's walls: they stand before it opens a file, hold as far as the kernel has them, and let jobs be done.
@Suite(.serialized) struct ConfinementTests {
  private static let helper = TestFiles.programs.appendingPathComponent("liveedit-render").path

  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    _ = try folder.photo()
    try FileManager.default.createDirectory(at: folder.file("out"), withIntermediateDirectories: false)
  }

  /// What the helper makes.
  private var output: URL { folder.file("out/made.jpg") }

  /// Has the helper render a photo.
  ///
  /// - Parameter command: what precedes the helper in a command line.
  /// - Returns: the helper, and what it says.
  private func answers(
    _ photo: String = "photo.jpg", by command: [String]
  ) throws -> (helper: ChildProcess, told: [RenderMessage]) {
    try? FileManager.default.removeItem(at: output)
    var edit = Edit.identity
    edit[.exposure] = 0.5
    let job = RenderJob(
      photo: .init(source: folder.file(photo).path, output: output.path), movie: nil, edit: edit,
      settings: .standard, identifier: nil)
    let helper = try ChildProcess(executable: "/usr/bin/env", arguments: command + [Self.helper])
    return (helper, try AttackScene.messages(of: helper, .render(job)))
  }

  /// How the helper that renders a photo is confined, and whether it renders it.
  private func render(_ photo: String = "photo.jpg", by command: [String] = []) throws -> (
    state: ConfinementState, isDone: Bool
  ) {
    let (helper, told) = try answers(photo, by: command)
    guard case .confined(let state)? = told.first else { throw ToolFailure("no word of walls: \(told)") }
    guard case .result? = told.last, helper.wait(milliseconds: 10_000) == .exited(0) else {
      return (state, false)
    }
    return (state, FileManager.default.fileExists(atPath: output.path))
  }

  /// This machine's kernel has all of it; where that is not so, the helper says so.
  @Test func theStateIsThatOfTheKernel() throws {
    let state = try render().state
    #expect(state.isWithoutNewPrivileges && state.isWithoutCapabilities && state.limits != nil)
    #expect(try state.landlock == Kernel.landlock())
    #expect(try (state.allowedCalls > 60) == Kernel.hasCallFilters())
  }

  /// A kernel that lacks a part gives the others, a job can be done in any case, and the state says what holds.
  @Test(.enabled("strace cannot trace here; scripts/crash-test --can-trace says why", Kernel.canTrace))
  func whatTheKernelLacksIsSaid() throws {
    let whole = try render().state
    for (call, error) in [
      ("landlock_create_ruleset", "EOPNOTSUPP"), ("seccomp", "EINVAL"), ("prctl", "EINVAL"),
      ("capset", "EPERM"),
    ] {
      let (state, isDone) = try render(by: [
        "strace", "-f", "-o", "/dev/null", "-e", "trace=\(call)", "-e", "inject=\(call):error=\(error)",
      ])
      #expect(isDone, "\(call)")
      #expect(state.limits == whole.limits)
      // One holds without the other, and both need that no new privileges can be had.
      #expect(state.landlock == (["seccomp", "capset"].contains(call) ? whole.landlock : 0))
      #expect(
        state.allowedCalls == (["landlock_create_ruleset", "capset"].contains(call) ? whole.allowedCalls : 0))
      #expect(state.isWithoutNewPrivileges == (call != "prctl"))
      #expect(state.isWithoutCapabilities == (call != "capset"))
    }
  }

  /// A kernel that has a part of it and fails ends the job, in one sentence.
  @Test(
    .enabled("this kernel has no Landlock", Kernel.hasLandlock),
    .enabled("strace cannot trace here; scripts/crash-test --can-trace says why", Kernel.canTrace))
  func aKernelThatFailsEndsTheJob() throws {
    let log = folder.file("log").path
    _ = try render(by: ["strace", "-f", "-o", log, "-e", "trace=seccomp"])
    // The library asks what the kernel can do before it loads the filter.
    let filter = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").count {
      $0.contains("seccomp(")
    }
    for (call, error, number) in [
      ("landlock_create_ruleset", "EMFILE", 2), ("landlock_restrict_self", "ENOMEM", 1),
      ("seccomp", "ENOMEM", filter), ("capset", "ENOMEM", 1), ("prctl", "ENOMEM", nil),
      ("prlimit64", "ENOMEM", nil),
    ] {
      let told = try answers(by: [
        "strace", "-f", "-o", "/dev/null", "-e", "trace=\(call)", "-e",
        "inject=\(call):error=\(error)" + (number.map { ":when=\($0)" } ?? ""),
      ]).told
      guard told.count == 1, case .error(let failure) = told[0] else {
        throw ToolFailure("\(call): no error alone: \(told)")
      }
      #expect(failure.problem.description.hasPrefix("liveedit-render cannot confine itself ("), "\(call)")
      #expect(!FileManager.default.fileExists(atPath: output.path), "\(call)")
    }
  }

  /// Files that whoever started the helper left open are closed, whether the kernel has a call for that or not.
  @Test func whatIsInheritedIsClosed() throws { try expectInheritedIsClosed(by: []) }

  @Test(.enabled("strace cannot trace here; scripts/crash-test --can-trace says why", Kernel.canTrace))
  func whatIsInheritedIsClosedOneByOne() throws {
    try expectInheritedIsClosed(by: [
      "strace", "-f", "-o", "/dev/null", "-e", "inject=close_range:error=ENOSYS",
    ])
  }

  private func expectInheritedIsClosed(by command: [String]) throws {
    let script = #"exec 63<"$0" 200<"$0"; echo $$; exec "$@" \#(Self.helper)"#
    let helper = try ChildProcess(
      executable: "/bin/bash", arguments: ["-c", script, folder.file("photo.jpg").path] + ["env"] + command)
    let photo = folder.file("photo.jpg").path
    let question = Array("{\"preview\":{\"_0\":{\"photo\":\"\(photo)\"}}}\n".utf8)
    #expect(try helper.send(question[...], waiting: 10_000) == question.count)
    // After its number the process tells that it works.
    var said = ""
    for _ in 0..<600 where !said.contains("working") {
      guard case .bytes(let bytes) = try helper.receive(waiting: 100) else { continue }
      said += String(decoding: bytes, as: UTF8.self)
    }
    let started = try #require(said.split(separator: "\n").first)
    // strace has the number, and the helper is its child.
    let children = try Tools.run(["pgrep", "-P", String(started)]).text.split(separator: "\n")
    let process = children.first ?? started
    let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd")
    #expect(!open.contains("63") && !open.contains("200"), "\(open)")
    #expect(open.contains("0") && open.contains("1"))
    withExtendedLifetime(helper) {}
  }

  /// What a job needs can be done.
  @Test func aJobCanBeDone() throws {
    #expect(try render().isDone)
    // A photo that is a link is the file behind it.
    try FileManager.default.createSymbolicLink(
      at: folder.file("link.jpg"), withDestinationURL: folder.file("photo.jpg"))
    #expect(try render("link.jpg").isDone)
  }

  /// Every wall stands before there is a second thread, and before a file of the job is opened.
  @Test(
    .enabled("this kernel has no Landlock", Kernel.hasLandlock),
    .enabled("strace cannot trace here; scripts/crash-test --can-trace says why", Kernel.canTrace))
  func theWallsStandBeforeAFileIsOpened() throws {
    let (photo, log) = (folder.file("photo.jpg").path, folder.file("log").path)
    let script = """
      printf '%s\\n' '{"preview":{"_0":{"photo":"\(photo)"}}}' | strace -f -y -o '\(log)' \
        -e trace=seccomp,landlock_restrict_self,prlimit64,clone,openat '\(Self.helper)'
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
    // So do limits of what reading its headers may take, and beyond that those of the job, which cannot be raised.
    let limits = places("prlimit64(0, RLIMIT_DATA, {").map { calls[$0] }
    let first = try #require(places("prlimit64(0, RLIMIT_DATA, {").first)
    #expect(opened.allSatisfy { $0 > first } && limits.count == 3)
  }

  /// Of a helper which waits for a question: one thread of it tells what holds, the kernel's own words.
  @Test(arguments: Tools.canCopyHelper ? [false, true] : [false]) func theHelperItselfIsConfined(isCopy: Bool)
    throws
  {
    let helper =
      try isCopy
      ? ForkServer(executable: Self.helper, arguments: [], environment: ["LD_LIBRARY_PATH"]).copy()
      : ChildProcess(executable: Self.helper)
    let process = try #require(RunningProcess(helper.identifier))
    // What needs no job holds before there is one.
    for _ in 0..<500 where try process.status("Seccomp") != ["Seccomp:\t2"] { usleep(20_000) }
    // Landlock holds for the thread that asks for it, and those that it starts.
    #expect(try process.status("NoNewPrivs", "Seccomp") == ["NoNewPrivs:\t1", "Seccomp:\t2"])
    #expect(try process.status("Threads") == ["Threads:\t1"] || Tools.isSanitized)
    let photo = folder.file("photo.jpg").path
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
