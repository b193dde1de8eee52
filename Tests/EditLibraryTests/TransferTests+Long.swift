import Basics
import EditModel
import FileSystem
import Foundation
import TestSupport
import Testing

@testable import EditLibrary

extension TransferTests {
  /// Finds originals of one size that were renamed or moved to another folder, without comparing each with all the
  /// others.
  @Test func manyRenamedOriginalsAreFound() throws {
    let (old, other) = (try TemporaryFolder(), try TemporaryFolder())
    let count = 2000
    var records: [AssetRecord] = []
    for number in 0..<count {
      let bytes = Array("\(10_000 + number)".utf8)
      try (number % 2 == 0 ? old : other).write(bytes, to: "new\(number).JPG")
      let print = Fingerprint(
        size: bytes.count, modified: 0, changed: 0, inode: 0,
        sha256: Digest.hexadecimal(try Digest.of(bytes, .sha256)))
      records.append(
        AssetRecord(
          stem: "old\(number)",
          originals: [VersionFile(role: .photo, name: "old\(number).JPG", fingerprint: print)], versions: [],
          current: 0))
    }
    let library = try Library.forReading(old.url.path)
    let folders = SoughtFolders([old.url.path, other.url.path])
    var search = try OriginalSearch(old.url.path, and: folders)
    for (number, record) in records.enumerated() {
      guard case .renamed(let folder, let photo, nil)? = try search.find(record, of: library) else {
        Issue.record("\(record.stem) is not found")
        return
      }
      #expect(folder == (number % 2 == 0 ? old : other).url.path && photo == "new\(number).JPG")
    }
    // Other folders that were searched for one library are not searched again for the next, but the library's own
    // folder is.
    for folder in [old, other] { try folder.write(Array("10003".utf8), to: "copy.JPG") }
    var again = try OriginalSearch(old.url.path, and: folders)
    guard case .unclear(let paths)? = try again.find(records[3], of: library) else {
      Issue.record("the copy in the own folder is not seen")
      return
    }
    #expect(paths == [old.file("copy.JPG").path, other.file("new3.JPG").path])
  }
}
