import Basics
import EditLibrary
import FileSystem
import Glibc
import Synchronization

/// A small program for tests that run it under strace, which makes one of its system calls fail.
///
///     failing-calls OPERATION FOLDER
///
/// The program changes to the folder, performs one operation there, and changes to `/`, so that the calls between the
/// two changes belong to the operation. If the operation throws, the program prints the error on standard error and
/// exits with status 1.

func publish(bundle: String?) throws {
  let publisher = try FilePublisher(in: "sub", stem: "new")
  for member in ["photo", "movie"] {
    let path = publisher.path(member)
    do { try File.create(path, bytes: Array(member.utf8)) } catch { throw EditError(writing: path, error) }
  }
  _ = try publisher.publish(
    [
      FilePublisher.Item("photo", name: "new.JPG", origin: "a"), FilePublisher.Item("movie", name: "new.MOV"),
    ],
    bundle: bundle)
}

func waitForSignals(givesIn: Bool) {
  TerminationSignals.block()
  StandardStream.output.write(line: "ready")
  while TerminationSignals.pending == nil { HostSystem.sleep(milliseconds: 5) }
  StandardStream.output.write(line: "pending")
  if givesIn { TerminationSignals.deliver() }
  HostSystem.sleep(milliseconds: 5000)
}

func printEverything() throws {
  StandardStream.reserve()
  StandardStream.error.show { columns in "working in \(columns) columns" }
  StandardStream.output.write(line: "a\u{1B}[2Jb\nc")
  StandardStream.output.write(json: "{\"a\":\"\u{202E}\"}")
  StandardStream.output.write(paths: ["x\ty"], end: "\0")
  if let failure = StandardStream.finish() { throw failure }
}

let operations: [String: (HeldFolder) throws -> Void] = [
  "folder": { _ in _ = try HeldFolder(path: "sub") },
  "status": { _ = try $0.status("sub/c").size },
  "names": { StandardStream.output.write(line: try $0.names(in: "sub").sorted().joined(separator: " ")) },
  "read": {
    StandardStream.output.write(
      line: String(decoding: try $0.source("sub/c").read(at: 0, count: 5), as: UTF8.self))
  },
  "path": { StandardStream.output.write(line: String(decoding: try $0.realPath.suffix(3), as: UTF8.self)) },
  "create": { try $0.create("sub/new", bytes: [1, 2, 3]) },
  "copy": { _ in try copyFile("a", to: "sub/new") },
  "sink": { folder in
    let sink = try FileByteSink("sub/new", in: folder)
    try sink.write([UInt8](repeating: 1, count: 300_000))
    try sink.overwrite(at: 0, [2])
    try sink.flush()
  },
  "move": { try $0.move("a", toFree: "sub/a") },
  "replace": { try $0.replace("sub/c", with: "a") },
  "remove": { try $0.remove("sub/c") },
  "makeFolder": { try $0.makeFolder("sub/made") },
  "removeFolder": { try $0.removeFolder("empty") },
  "sync": { try $0.sync("sub/c") },
  "syncFolder": { try $0.syncFolder("sub") },
  "setPermissions": { try $0.setPermissions(0o600, of: "sub/c") },
  "lock": { folder in
    guard case .locked(let lock) = try FileLock.attempt("sub/lock", in: folder, creating: true) else {
      throw SystemError.tryAgain
    }
    try lock.record("owner")
  },
  "strictLock": { folder in
    if case .unsupported = try FileLock.attempt("sub/lock", in: folder, creating: true, isStrict: true) {
      StandardStream.output.write(line: "unsupported")
    }
  },
  "watch": { folder in
    let watch = try FolderWatch()
    try watch.add("sub")
    try folder.create("sub/new", bytes: [])
    StandardStream.output.write(
      line: try watch.wait(milliseconds: 1000).names["sub"]?.sorted().joined(separator: " ") ?? "nothing")
  },
  "child": { _ in
    let child = try ChildProcess(executable: "/bin/sh", arguments: ["-c", "read line; echo $line"])
    _ = try child.send(Array("said\n".utf8)[...], waiting: 1000)
    guard case .bytes(let bytes) = try child.receive(waiting: 5000) else { throw SystemError.tryAgain }
    StandardStream.output.write(line: String(decoding: bytes.dropLast(), as: UTF8.self))
  },
  "publish": { _ in try publish(bundle: nil) },
  "bundle": { _ in try publish(bundle: "new.pvt") },
  "threads": { _ in
    let ran = Mutex<[Int]>([])
    WorkerThread.runSideBySide(4) { index in ran.withLock { $0.append(index) } }
    StandardStream.output.write(line: "\(ran.withLock { $0 }.sorted())")
  },
  "signals": { _ in waitForSignals(givesIn: true) },
  "stubborn": { _ in waitForSignals(givesIn: false) },
  "print": { _ in try printEverything() },
]

let words = CommandLine.arguments
guard words.count == 3, let operation = operations[words[1]], let folder = try? HeldFolder(path: words[2]),
  chdir(words[2]) == 0
else { exit(2) }
do {
  try operation(folder)
  _ = chdir("/")
} catch {
  _ = chdir("/")
  StandardStream.error.write(line: "\(error)")
  exit(1)
}
