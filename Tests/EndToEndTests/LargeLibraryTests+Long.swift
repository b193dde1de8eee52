import Foundation
import TestSupport
import Testing

/// Tests of quick commands in a library with many assets: strace counts their system calls. scripts/bench measures
/// times.
@Suite struct LargeLibraryTests {
  /// A script that adds rows and empty files of many more assets to a library.
  static let growing = """
    import os, sqlite3, sys
    folder = sys.argv[1]
    with sqlite3.connect(os.path.join(folder, ".liveedit/library.sqlite")) as catalogue:
        for number in range(int(sys.argv[2])):
            name = f"PIC_{number:05}"
            asset = catalogue.execute("INSERT INTO asset (stem, current) VALUES (?, 2)", (name,)).lastrowid
            columns = ("number, previous, base, origin, format, format_version, data, editor, time, build, has_files,"
                       " aside")
            catalogue.execute(f"INSERT INTO version (asset, {columns}) SELECT ?, {columns} FROM version WHERE asset = 1",
                              (asset,))
            catalogue.execute("INSERT INTO file SELECT ?, version, role, ? || role || version, size, modified, changed,"
                              " inode, sha256 FROM file WHERE asset = 1", (asset, name))
            for ending in (".JPG", ".MOV", "_edited.JPG", "_edited.MOV", ".AAE"):
                open(os.path.join(folder, name + ending), "w").close()
    """

  /// Returns a command's path look-ups, page reads and writes, and folder listings; the command must succeed.
  ///
  /// Locks, waits and pipes are left out, because their number depends on the computer's load. Calls that strace splits
  /// into two lines, because another thread makes a call in between, count only once.
  func calls(_ arguments: [String], in folder: URL) throws -> [String] {
    let log = try TemporaryFolder()
    let path = log.file("log").path
    let output = try Tools.run(
      ["strace", "-f", "-e", "trace=%file,pread64,pwrite64,getdents64", "-o", path, Command.path] + arguments,
      // A separate state folder: a command here would read the records of other tests' unfinished batches.
      in: folder, environment: ["XDG_STATE_HOME": log.url.path])
    #expect(output.status == 0, "\(output.standardError)")
    return try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map { String($0) }
      .filter { !$0.contains(" resumed>") }
  }

  /// Returns how many more times each call, without its numbers, occurs in the second list.
  static func more(_ few: [String], _ many: [String]) -> [String: Int] {
    func counts(_ calls: [String]) -> [String: Int] {
      calls.reduce(into: [:]) { $0[$1.replacing(/^\d+ +|\d{2,}/, with: ""), default: 0] += 1 }
    }
    let before = counts(few)
    return counts(many).reduce(into: [:]) { more, call in
      let count = call.value - (before[call.key] ?? 0)
      if count > 0 { more[call.key] = count }
    }
  }

  @Test(.enabled("strace cannot trace here; see Tests/Long/crash/crash-test --can-trace", Kernel.canTrace))
  func quickCommandsDoNotGrowWithTheLibrary() throws {
    let folder = try TemporaryFolder()
    _ = try Fixture.landscape.copy(to: folder.url)
    for _ in 1...2 {
      try Tools.output(
        Command.path, "rotate", "--degrees", "90", "--lossless", "IMG_0003.JPG", in: folder.url)
    }
    func all() throws -> [[String]] {
      try ["revert", "redo", "history"].map { try calls([$0, "IMG_0003.JPG"], in: folder.url) }
    }
    let small = try all()
    try Tools.output("python3", "-c", Self.growing, folder.url.path, "10000")
    for (few, many) in zip(small, try all()) {
      // A deeper B-tree costs a few more pages.
      #expect(
        many.count <= few.count + 40, "\(few.count) calls became \(many.count): \(Self.more(few, many))")
      // The assets' folder is not listed, and no codec is loaded.
      #expect(!many.contains { $0.contains("openat(AT_FDCWD, \".\"") && $0.contains("O_NONBLOCK") })
      #expect(!many.contains { $0.contains("libavcodec") || $0.contains("libturbojpeg") })
    }
  }

  /// `inspect` and `verify` list a folder no more often for many of its files than for a few.
  @Test(
    .enabled("strace cannot trace here; see Tests/Long/crash/crash-test --can-trace", Kernel.canTrace),
    arguments: ["inspect", "verify"])
  func aFolderIsNotListedForEachFile(_ command: String) throws {
    let folder = try TemporaryFolder()
    let pair = try Fixture.landscape.copy(to: folder.url)
    var names = ["IMG_0003.JPG", "IMG_0003.MOV"]
    for number in 1...4 {
      for file in [pair.photo, pair.movie] {
        names.append("x\(number)." + file.pathExtension)
        try FileManager.default.linkItem(at: file, to: folder.file(names[names.count - 1]))
      }
    }
    func lists(_ names: [String]) throws -> Int {
      try calls([command] + names, in: folder.url).count { $0.contains("getdents64(") }
    }
    // Helper processes may list some folders of their own.
    let (few, many) = (try lists(Array(names.prefix(4))), try lists(names))
    #expect(many <= few + 6)
  }
}
