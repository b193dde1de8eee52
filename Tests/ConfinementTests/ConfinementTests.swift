import EditModel
import Foundation
import TestSupport
import Testing

@testable import FileSystem

/// Tests of the helper's confinement. It is complete before the helper opens a file, uses everything that the kernel
/// supports, and still allows jobs to be done.
@Suite(.serialized) struct ConfinementTests {
  static let helper = TestFiles.programs.appendingPathComponent("liveedit-render").path

  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    _ = try folder.photo()
    try FileManager.default.createDirectory(at: folder.file("out"), withIntermediateDirectories: false)
  }

  /// The file that the helper creates.
  var output: URL { folder.file("out/made.jpg") }

  /// Has the helper render a photo.
  ///
  /// - Parameter command: The words that precede the helper in a command line.
  /// - Returns: The helper and its replies.
  func answers(
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

  /// Returns how the helper that renders a photo is confined, and whether it renders the photo.
  func render(_ photo: String = "photo.jpg", by command: [String] = []) throws -> (
    state: ConfinementState, isDone: Bool
  ) {
    let (helper, told) = try answers(photo, by: command)
    guard case .confined(let state)? = told.first else { throw ToolFailure("no word of walls: \(told)") }
    guard case .result? = told.last, helper.wait(milliseconds: 10_000) == .exited(0) else {
      return (state, false)
    }
    return (state, FileManager.default.fileExists(atPath: output.path))
  }

  /// This machine's kernel supports every part. If a kernel does not, the helper reports that.
  @Test func theStateIsThatOfTheKernel() throws {
    let state = try render().state
    #expect(state.isWithoutNewPrivileges && state.isWithoutCapabilities && state.limits != nil)
    #expect(try state.landlock == Kernel.landlock())
    #expect(try (state.allowedCalls > 60) == Kernel.hasCallFilters())
  }

  /// Checks that files left open by the process that started the helper are closed, whether or not the kernel has a
  /// system call for that.
  @Test func whatIsInheritedIsClosed() throws { try expectInheritedIsClosed(by: []) }

  func expectInheritedIsClosed(by command: [String]) throws {
    let script = #"exec 63<"$0" 200<"$0"; echo $$; exec "$@" \#(Self.helper)"#
    let helper = try ChildProcess(
      executable: "/bin/bash", arguments: ["-c", script, folder.file("photo.jpg").path] + ["env"] + command)
    let photo = folder.file("photo.jpg").path
    let question = Array("{\"preview\":{\"_0\":{\"photo\":\"\(photo)\"}}}\n".utf8)
    #expect(try helper.send(question[...], waiting: 10_000) == question.count)
    // After its process number, the helper reports that it works.
    var said = ""
    for _ in 0..<600 where !said.contains("working") {
      guard case .bytes(let bytes) = try helper.receive(waiting: 100) else { continue }
      said += String(decoding: bytes, as: UTF8.self)
    }
    let started = try #require(said.split(separator: "\n").first)
    // The reported process is strace, and the helper is its child.
    let children = try Tools.run(["pgrep", "-P", String(started)]).text.split(separator: "\n")
    let process = children.first ?? started
    let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd")
    #expect(!open.contains("63") && !open.contains("200"), "\(open)")
    #expect(open.contains("0") && open.contains("1"))
    withExtendedLifetime(helper) {}
  }

  /// Everything that a job needs is still allowed.
  @Test func aJobCanBeDone() throws {
    #expect(try render().isDone)
    // If the photo is a link, the file that it points to is used.
    try FileManager.default.createSymbolicLink(
      at: folder.file("link.jpg"), withDestinationURL: folder.file("photo.jpg"))
    #expect(try render("link.jpg").isDone)
  }

  /// Checks the confinement of one thread of a helper that waits for a request, as the kernel reports it.
  @Test(arguments: Tools.canCopyHelper ? [false, true] : [false]) func theHelperItselfIsConfined(isCopy: Bool)
    throws
  {
    let helper =
      try isCopy
      ? ForkServer(executable: Self.helper, arguments: [], environment: ["LD_LIBRARY_PATH"]).copy()
      : ChildProcess(executable: Self.helper)
    let process = try #require(RunningProcess(helper.identifier))
    // The restrictions that do not depend on a job apply before the helper receives one.
    for _ in 0..<500 where try process.status("Seccomp") != ["Seccomp:\t2"] { usleep(20_000) }
    // Landlock applies to the thread that enables it and to the threads that this thread starts.
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
    // A sanitizer's shadow memory counts as memory, so memory is not limited in sanitized builds.
    #if !SANITIZED
      #expect(try #require(limit("Max data size")) < 64 << 30)
    #endif
    #expect(limit("Max cpu time") != nil && limit("Max file size") != nil)
    // The thread that decodes is not the first thread.
    let threads = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(helper.identifier)/task")
    #expect(threads.count > 1)
    for thread in threads {
      let status = try process.file("task/\(thread)/status").split(separator: "\n")
      #expect(status.contains("NoNewPrivs:\t1") && status.contains("Seccomp:\t2"))
    }
    withExtendedLifetime(helper) {}
  }
}
