import Foundation
import TestSupport
import Testing

/// Tests of catalogue transactions that take effect although SQLite reports that they failed, because the system does
/// not release the writer's lock.
@Suite(.enabled("strace cannot trace here; see Tests/Long/crash/crash-test --can-trace", Kernel.canTrace))
struct CommitEndTests {
  let folder: TemporaryFolder
  let copies: TemporaryFolder

  init() throws {
    (folder, copies) = (try TemporaryFolder(), try TemporaryFolder())
    try folder.copy(TestFiles.fixture("IMG_0003.JPG"))
    try FileManager.default.createDirectory(at: folder.file("out"), withIntermediateDirectories: false)
  }

  private func run(_ words: String..., in place: URL) throws {
    let output = try Tools.run([Command.path] + words, in: place)
    #expect([0, 2].contains(output.status), "\(words): \(output)")
  }

  /// Runs a command once for each transaction, each time in a new copy of the folder and with the end of that
  /// transaction disturbed, then calls `check`.
  private func eachEnd(of words: [String], then check: (_ place: String, ToolOutput) throws -> Void) throws {
    func traced(_ place: String, _ disturbance: [String] = []) throws -> (ToolOutput, calls: [Substring]) {
      try FileManager.default.copyItem(at: folder.url, to: copies.file(place))
      let output = try Tools.run(
        ["strace", "-f", "-b", "execve", "-y", "-o", copies.file("trace").path, "-e", "trace=fcntl"]
          + disturbance + [Command.path] + words, in: copies.file(place))
      let lines = String(decoding: try copies.read("trace"), as: UTF8.self).split(separator: "\n")
      let thread = try #require(lines.first?.split(separator: " ").first)
      return (output, lines.filter { $0.hasPrefix(thread + " ") && $0.contains(" fcntl(") })
    }
    let (whole, calls) = try traced("whole")
    #expect(whole.status == 0, "\(whole.standardError)")
    // The lock for readers, requested right after the writer's lock (SQLite's os_unix.c).
    let ends = calls.indices.filter {
      $0 > 0 && calls[$0].contains("library.sqlite>, F_SETLK, {l_type=F_RDLCK")
        && calls[$0].contains("l_len=510") && calls[$0 - 1].contains("F_WRLCK")
    }
    #expect(!ends.isEmpty)
    for end in ends {
      let (output, calls) = try traced("\(end)", ["-e", "inject=fcntl:error=EIO:when=\(end + 1)"])
      #expect(calls.contains { $0.contains("INJECTED") })
      #expect(output.status <= 1, "\(output.standardError)")
      try check("\(end)", output)
    }
  }

  private func files(_ name: String, in place: String) throws -> [String] {
    try Tools.output("find", ".liveedit", "out", "-name", name, in: copies.file(place)).lines
  }

  @Test func whatIsForgottenIsKeptElsewhere() throws {
    // Another program's render cannot be rendered again.
    _ = try Tools.output("convert", "IMG_0003.JPG", "-modulate", "80", "IMG_E0003.JPG", in: folder.url)
    let precious = try folder.read("IMG_E0003.JPG")
    try run("rotate", "--degrees", "90", "IMG_0003.JPG", in: folder.url)
    try run("revert", "--to", "original", "IMG_0003.JPG", in: folder.url)
    try eachEnd(of: ["forget", "--to", "out", "IMG_0003.JPG"]) { place, _ in
      try run("mark", "--hidden", "IMG_0003.JPG", in: copies.file(place))
      let kept = try files("IMG_E0003.JPG", in: place)
      #expect(try kept.contains { try copies.read("\(place)/\($0)") == precious }, "\(place)")
    }
  }

  @Test func aHistoryGoesAlongWithItsOriginal() throws {
    try run("rotate", "--degrees", "90", "IMG_0003.JPG", in: folder.url)
    try run("mark", "--favourite", "IMG_0003.JPG", in: folder.url)
    try FileManager.default.moveItem(at: folder.file("IMG_0003.JPG"), to: folder.file("out/IMG_0003.JPG"))
    try eachEnd(of: ["check", "--repair", ".", "out"]) { place, _ in
      try run("check", "--repair", ".", "out", in: copies.file(place))
      let out = copies.file(place).appendingPathComponent("out")
      #expect(try Command.run("history", "IMG_0003.JPG", in: out).text.contains("rotated by 90°"), "\(place)")
      let marked = try Command.run("list", "--filter", "favourite", "--json", ".", in: out)
      #expect(marked.text.contains("IMG_0003.JPG"), "\(place): \(marked.text)")
      #expect(try !files("IMG_E0003.JPG", in: place).contains { $0.contains("damaged") })
      try run("check", ".", "out", in: copies.file(place))
    }
  }
}
