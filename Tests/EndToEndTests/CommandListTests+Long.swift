import Foundation
import TestSupport
import Testing

extension CommandListTests {
  /// Lists a read-only folder whose library is older than the folder.
  @Test func aFolderOnAReadOnlyMedium() throws {
    try withTemporaryFolder { folder in
      _ = try Fixture.portrait.copy(to: folder)
      try run("mark", "--favourite", "IMG_0001.JPG", in: folder)
      try run("list", in: folder)
      _ = try Fixture.mirrored.copy(to: folder)
      let library = folder.appendingPathComponent(".liveedit")
      let before = try FileManager.default.contentsOfDirectory(atPath: library.path).map {
        try Data(contentsOf: library.appendingPathComponent($0))
      }
      // Mounts the folder read-only, if the system allows a program to do so.
      let script =
        #"mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" && cd "$1" && exec "$0" list --json"#
      let listed = try Tools.run(["unshare", "-rm", "sh", "-c", script, Command.path, folder.path])
      let refusals = ["unshare:", "mount:"]
      guard !refusals.contains(where: { listed.standardError.contains($0) }) else { return }
      let found = try objects(listed)
      #expect(
        found.map { $0["file"] as? String } == ["IMG_0001.JPG", "IMG_0002.JPG"], "\(listed.standardError)")
      #expect(found.map { $0["favourite"] as? Bool } == [true, false])
      let after = try FileManager.default.contentsOfDirectory(atPath: library.path).map {
        try Data(contentsOf: library.appendingPathComponent($0))
      }
      #expect(after == before)
    }
  }

  /// Many processes list and mark the same folder at once.
  @Test func listsAndMarksSideBySide() throws {
    try withTemporaryFolder { folder in
      for fixture in Fixture.allCases { _ = try fixture.copy(to: folder) }
      try run("mark", "--no-hidden", "--favourite", "IMG_0001.JPG", in: folder)
      let script = """
        echo "$("$0" list --rescan --paths | tr '\\n' ' ')"
        for mark in --favourite --no-favourite; do
          "$0" mark $mark IMG_0002.JPG >/dev/null || [ $? = 2 ] || echo failed
        done
        """
      let input = Data(String(repeating: Command.path + "\n", count: 12).utf8)
      let result = try Tools.run(
        ["xargs", "-P", "4", "-n", "1", "sh", "-c", script], in: folder, input: input)
      #expect(result.lines.count == 12)
      #expect(Set(result.lines) == ["IMG_0001.JPG IMG_0002.JPG IMG_0003.JPG "], "\(result.text)")
      #expect(
        result.standardError.split(separator: "\n").allSatisfy { $0.contains("wait") },
        "\(result.standardError)")
      try run("check", in: folder)
    }
  }
}
