import Foundation
import TestSupport
import Testing

/// Tests in which every system call of every operation fails once. Either the operation reports the system's error and
/// has changed nothing, or it does not need that call and completes all of its work.
///
/// strace makes the calls fail, one in each run of the small program in Tests/FailingCalls.
@Suite(.enabled("strace cannot trace here; see Tests/Long/crash/crash-test --can-trace", Kernel.canTrace))
struct FailingCallTests {
  /// A system call, identified by its name and its number among the calls of that name in the operation.
  struct Call: Hashable {
    var name: String
    var number: Int
    var text: String
  }

  /// The result of a run of the program.
  struct Run {
    var folder: TemporaryFolder
    var output: ToolOutput
    /// The number of calls before the operation, by call name.
    var earlier: [String: Int]
    var calls: [Call]
    /// The files and folders by path, with their permissions and contents.
    var state: [String: String]
  }

  private static let traced = """
    openat,read,pread64,write,pwrite64,ftruncate,fsync,fchmod,fstat,newfstatat,stat,lstat,statx,faccessat,faccessat2,\
    rename,renameat,renameat2,link,linkat,unlink,unlinkat,rmdir,mkdir,mkdirat,chdir,flock,getdents64,readlink,readlinkat,\
    inotify_init1,inotify_add_watch,poll,ppoll,socketpair,sendto,recvfrom,shutdown
    """

  /// Returns a folder with the files that the operations need.
  static func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for name in ["sub", "empty"] {
      try FileManager.default.createDirectory(at: folder.file(name), withIntermediateDirectories: false)
    }
    for name in ["a", "b", "sub/c"] { try folder.write(Array("file \(name)".utf8), to: name) }
    return folder
  }

  static func state(of folder: TemporaryFolder, hidden: Bool = true) throws -> [String: String] {
    var state: [String: String] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: folder.url.path) {
      let isHidden = name.split(separator: "/").contains { $0.hasPrefix(".") }
      // Lock files are kept on purpose.
      guard !name.hasSuffix("sub/lock"), hidden || !isHidden else { continue }
      let path = folder.file(name).path
      let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int ?? 0
      state[name] =
        String(mode, radix: 8) + " "
        + (FileManager.default.contents(atPath: path)?.base64EncodedString() ?? "folder")
    }
    return state
  }

  /// Runs an operation in a new folder.
  ///
  /// The system counts calls from the program's start, when the program reads a varying number of pieces of
  /// /proc/self/maps. A run in which a call other than the intended one failed is therefore repeated.
  ///
  /// - Parameter isLasting: Whether all later calls of that name fail as well.
  func run(
    _ operation: String, failing call: Call? = nil, after whole: Run? = nil, isLasting: Bool = false
  ) throws -> Run {
    var earlier = whole?.earlier ?? [:]
    for _ in 1...50 {
      let when = call.map { ($0.name, "\(earlier[$0.name, default: 0] + $0.number)\(isLasting ? "+" : "")") }
      let run = try attempt(operation, failing: when)
      guard let call, run.earlier[call.name] != earlier[call.name] else { return run }
      earlier = run.earlier
    }
    throw CocoaError(.featureUnsupported)
  }

  private func attempt(_ operation: String, failing call: (name: String, when: String)?) throws -> Run {
    let (folder, log) = (try Self.folder(), try TemporaryFolder())
    var words = ["strace", "-o", log.file("log").path, "-e", "trace=" + Self.traced]
    if let call { words += ["-e", "inject=\(call.name):error=EIO:when=\(call.when)"] }
    let output = try Tools.run(words + [Programs.failingCalls, operation, folder.url.path])
    var (calls, earlier, counts, isInside) = ([Call](), [String: Int](), [String: Int](), false)
    for line in try String(contentsOf: log.file("log"), encoding: .utf8).split(separator: "\n") {
      guard let bracket = line.firstIndex(of: "(") else { continue }
      let name = String(line[..<bracket])
      if name == "chdir" { isInside.toggle(); continue }
      guard isInside else { if calls.isEmpty { earlier[name, default: 0] += 1 }; continue }
      counts[name, default: 0] += 1
      // If this call does not release a lock, close releases it.
      if !line.hasPrefix("write(1,"), !line.contains("LOCK_UN") {
        calls.append(Call(name: name, number: counts[name] ?? 0, text: String(line)))
      }
    }
    let publishes = ["publish", "bundle"].contains(operation)
    let state = try Self.state(of: folder, hidden: !publishes)
    return Run(folder: folder, output: output, earlier: earlier, calls: calls, state: state)
  }

  /// Operations that leave a visible intermediate state: an unfinished file that its owner removes, or the change that
  /// is watched for.
  private static let inSteps: Set = ["sink", "watch"]

  /// System calls that no operation can do without.
  private static let needed: Set = [
    "write", "pwrite64", "ftruncate", "fsync", "fchmod", "renameat", "renameat2", "mkdirat", "flock", "read",
    "pread64",
  ]

  @Test(arguments: [
    "folder", "status", "names", "read", "path", "create", "sink", "move", "replace", "remove",
    "makeFolder", "removeFolder", "sync", "syncFolder", "setPermissions", "lock", "watch", "child",
  ])
  func aCallThatFailsIsAnErrorAndLeavesNothing(_ operation: String) throws {
    let before = try Self.state(of: Self.folder())
    let whole = try run(operation)
    try #require(whole.output.status == 0 && !whole.calls.isEmpty, "\(whole.output.standardError)")
    for call in whole.calls {
      let run = try run(operation, failing: call, after: whole)
      #expect(run.output.status == 1, "\(call.text)")
      #expect(run.output.standardError == "input/output error\n", "\(call.text)")
      #expect(run.state == before || Self.inSteps.contains(operation), "\(call.text)")
    }
  }

  /// The error names the one of two files that could not be read or written, and no part of the copy remains.
  @Test func aCopyNamesTheFileThatFailed() throws {
    let before = try Self.state(of: Self.folder())
    let whole = try run("copy")
    for call in whole.calls {
      let run = try run("copy", failing: call, after: whole)
      // One file is read and the other is written. Any other call may concern either file.
      let expected =
        switch call.name {
        case "pread64": #/^a: cannot be read \(input\/output error\)\n$/#
        case "pwrite64", "fsync": #/^sub\/new: cannot be written \(input\/output error\)\n$/#
        default: #/^(?:a: cannot be read|sub[^:]*: cannot be written) \(input\/output error\)\n$/#
        }
      #expect(run.output.standardError.contains(expected), "\(call.text): \(run.output.standardError)")
      #expect(run.output.status == 1 && run.state == before, "\(call.text)")
    }
    for name in ["pread64", "pwrite64", "fsync"] { #expect(whole.calls.contains { $0.name == name }) }
  }

  /// Either all files get their names or none does, the error names a file or the folder, and the next run finds no
  /// obstacle.
  @Test(arguments: ["publish", "bundle"]) func filesArePublishedWholeOrNotAtAll(_ operation: String) throws {
    let before = try Self.state(of: Self.folder())
    let whole = try run(operation)
    try #require(whole.output.status == 0, "\(whole.output.standardError)")
    // Only the calls that handle a bundle differently from single files.
    for call in whole.calls where operation == "publish" || call.text.contains("bundle") {
      let run = try run(operation, failing: call, after: whole)
      if run.output.status == 0 {
        // The operation can only do without calls that look at files or remove them.
        #expect(run.state == whole.state && !Self.needed.contains(call.name), "\(call.text)")
      } else {
        #expect(run.state == before, "\(call.text)")
        #expect(
          run.output.standardError.contains(/^sub[^:]*: cannot be (written|read) \(input\/output error\)/),
          "\(call.text): \(run.output.standardError)")
      }
      let next = try Tools.run([Programs.failingCalls, operation, run.folder.url.path])
      #expect(next.status == (run.output.status == 0 ? 1 : 0), "\(call.text): \(next.standardError)")
      #expect(try Self.state(of: run.folder) == whole.state, "\(call.text)")
    }
  }

  /// If calls keep failing, the renames cannot be undone either. The next run only has to find the remaining files and
  /// give them their names.
  @Test func whatCannotBeTakenBackIsFinishedNext() throws {
    let before = try Self.state(of: Self.folder())
    let whole = try run("publish")
    var taken = 0
    for call in whole.calls {
      let run = try run("publish", failing: call, after: whole, isLasting: true)
      if run.state != before { taken += 1 }
      _ = try Tools.run([Programs.failingCalls, "publish", run.folder.url.path])
      #expect(try Self.state(of: run.folder) == whole.state, "\(call.text): \(run.output.standardError)")
    }
    // Some failures leave at least one new name behind.
    #expect(taken > 0)
  }
}
