import Basics
import FileSystem
import Foundation
import TestSupport
import Testing

@testable import EditLibrary

/// Tests of the limits on a library's own records (Documentation/Limits.md), just below and just above each limit.
@Suite struct CatalogueLimitsTests {
  private static func record(versions: Int) -> AssetRecord {
    let print = Fingerprint(size: 1, modified: 0, changed: 0, inode: 0, sha256: "")
    return AssetRecord(
      stem: "IMG_0001", originals: [VersionFile(role: .photo, name: "IMG_0001.JPG", fingerprint: print)],
      versions: (0..<versions).map {
        Version(
          number: $0 + 1, previous: $0, base: $0, origin: .rendered, adjustment: nil, editor: "", time: 0,
          build: "", files: [], hasFiles: false, isAside: false)
      }, current: versions)
  }

  @Test func versionsOfAnAsset() throws {
    #expect(Self.record(versions: 10_000).isSound)
    #expect(!Self.record(versions: 10_001).isSound)
    // The numbers end before the record would become invalid.
    #expect(try Self.record(versions: 9_999).nextNumber == 10_000)
    let error = #expect(throws: EditError.self) { _ = try Self.record(versions: 10_000).nextNumber }
    #expect(error?.problem.description == "has 10000 versions and cannot have more")
  }

  @Test func bytesOfAValue() throws {
    let database = try Database.temporary()
    let rows = try database.rows("SELECT length(zeroblob(?))", [DatabaseValue(32 << 20)])
    #expect(rows.first?.first?.integer == 32 << 20)
    let error = #expect(throws: DatabaseError.self) {
      _ = try database.rows("SELECT length(zeroblob(?))", [DatabaseValue((32 << 20) + 1)])
    }
    #expect(error?.isCorruption == true)
    #expect(error?.sentence("a").problem.description.contains("is damaged") == true)
  }

  /// Spaces after the JSON count as part of the file.
  @Test func bytesOfAVersionDescription() throws {
    let record = Self.record(versions: 1)
    let description = VersionDescription(record.versions[0], of: record, generation: 1)
    let length = description.bytes.count
    for (count, isRead) in [(32 << 20, true), ((32 << 20) + 1, false)] {
      let folder = try TemporaryFolder()
      let held = try HeldFolder(path: folder.url.path)
      let place = LibraryPaths.description(1, of: record.stem)
      try FileManager.default.createDirectory(
        at: folder.file(place).deletingLastPathComponent(), withIntermediateDirectories: true)
      let padding = [UInt8](repeating: UInt8(ascii: " "), count: count - length)
      try Data(SealedJSON.bytes(description, ending: padding)).write(to: folder.file(place))
      #expect(try (VersionDescription.read(of: 1, of: record.stem, in: held) != nil) == isRead)
    }
  }

  @Test func bytesOfTheListOfRoots() throws {
    let folder = try TemporaryFolder()
    let held = try HeldFolder(path: folder.url.path)
    let list = Array(#"{"form":1,"roots":[{"name":"a","path":"/x"}]}"#.utf8)
    for size in [64 << 20, (64 << 20) + 1] {
      let spaces = [UInt8](repeating: UInt8(ascii: " "), count: size - list.count)
      try folder.write(list + spaces, to: LibraryRoots.file)
      if size <= 64 << 20 {
        #expect(try LibraryRoots.read(in: held)?.roots.map(\.name) == ["a"])
      } else {
        let error = #expect(throws: EditError.self) { try LibraryRoots.read(in: held) }
        #expect(error?.problem.description == "is not a valid list of roots")
      }
    }
  }

  /// The list of roots is read once for all folders of its library, and again when the list changes, even if its
  /// timestamps do not.
  @Test func theListOfRootsIsReadOnce() throws {
    let folder = try TemporaryFolder()
    let held = try HeldFolder(path: folder.url.path)
    let file = folder.file(LibraryRoots.file)
    for name in ["a", "b"] {
      try LibraryRoots(roots: [LibraryRoot(name: name, path: "/x")]).write(in: held)
      // Until the kernel's clock has advanced, an equal status proves nothing.
      usleep(20_000)
      let accesses = try FileAccesses(to: file)
      for _ in 1...200 { #expect(try LibraryRoots.read(in: held)?.roots.map(\.name) == [name]) }
      #expect(accesses.readings() == 1)
    }
    // Overwrites the file in place, with the same size and timestamp, after the kernel's clock has advanced.
    usleep(20_000)
    let status = try FileManager.default.attributesOfItem(atPath: file.path)
    let before = try String(contentsOf: file, encoding: .utf8)
    let handle = try FileHandle(forWritingTo: file)
    try handle.write(contentsOf: Data(before.replacing("\"b\"", with: "\"c\"").utf8))
    try handle.close()
    try FileManager.default.setAttributes(
      [.modificationDate: try #require(status[.modificationDate])], ofItemAtPath: file.path)
    #expect(try LibraryRoots.read(in: held)?.roots.map(\.name) == ["c"])
    try FileManager.default.removeItem(at: file)
    #expect(try LibraryRoots.read(in: held) == nil)
  }

  /// Returns the error for a filter that exceeds a limit.
  static func problem(_ filter: String) -> String? {
    do {
      _ = try AssetFilter(filter)
      return nil
    } catch {
      return error.message.description
    }
  }

  @Test func partsOfAFilter() {
    func conditions(_ count: Int) -> String {
      Array(repeating: "edited", count: count).joined(separator: " or ")
    }
    #expect(Self.problem(conditions(250)) == nil)
    #expect(Self.problem(conditions(251)) == "the filter has more than 250 conditions")
    func nested(_ levels: Int) -> String {
      String(repeating: "(", count: levels - 1) + "edited" + String(repeating: ")", count: levels - 1)
    }
    #expect(Self.problem(nested(24)) == nil)
    #expect(Self.problem(nested(25)) == "the filter is nested more than 24 levels deep")
    func long(_ letters: Int) -> String { "edited" + String(repeating: " ", count: letters - 6) }
    #expect(Self.problem(long(10_000)) == nil)
    #expect(
      Self.problem(long(10_001)) == "a filter can have at most 10000 characters, and this filter has 10001")
  }
}
