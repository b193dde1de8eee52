import Basics
import Foundation
import LivePhotoFormat
import TestSupport
import Testing

/// Tests of files that are still being copied. The test knows which files are incomplete: a file that lacks a byte is
/// incomplete.
@Suite struct FileArrivalTests {
  static func files(in folder: URL) -> [String] {
    let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
    let kinds = ["jpg", "heic", "png", "mov", "mp4"]
    return names.filter { kinds.contains(URL(fileURLWithPath: $0).pathExtension.lowercased()) }
      .map { folder.appendingPathComponent($0).path }.sorted()
  }

  private static let fixtures = files(in: TestFiles.project.appendingPathComponent("Fixtures"))

  /// Returns the state of a file's arrival, or nil if its structure is damaged or truncated.
  func arrival(of bytes: [UInt8], isMovie: Bool) throws -> FileArrival? {
    let source = MemoryByteSource(bytes)
    do {
      return try isMovie ? FileArrival(ofMovie: source) : FileArrival(ofPhoto: source)
    } catch is MediaError {
      return nil
    }
  }

  func isMovie(_ path: String) -> Bool { path.lowercased().hasSuffix("mov") || path.hasSuffix("mp4") }

  /// Returns the end of a file without a `free` box at its end, because the content of that box does not matter.
  private func dataEnd(of bytes: [UInt8]) -> Int {
    guard let name = Data(bytes).range(of: Data("free".utf8), options: .backwards)?.lowerBound, name >= 4
    else {
      return bytes.count
    }
    let size = bytes[name - 4..<name].reduce(0) { $0 << 8 | Int($1) }
    return name - 4 + size == bytes.count ? name + 4 : bytes.count
  }

  /// Programs write a file from beginning to end. Some set its full size first.
  @Test(arguments: fixtures) func aFileThatLacksBytesIsNotWhole(_ path: String) throws {
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    let isMovie = isMovie(path)
    let whole = try #require(try arrival(of: bytes, isMovie: isMovie))
    let count = bytes.count
    let dataEnd = dataEnd(of: bytes)
    // Real files are larger, so fewer parts are tested.
    let parts = Self.fixtures.contains(path) ? 30 : 5
    let cuts = (1...parts).map { count * $0 / (parts + 1) } + [1, 4, 16, 100].map { count - $0 }
    for cut in cuts where cut < dataEnd {
      let short = Array(bytes[..<cut])
      #expect(try arrival(of: short, isMovie: isMovie) != .whole, "\(cut) of \(count)")
      let padded = short + [UInt8](repeating: 0, count: count - cut)
      let found = try arrival(of: padded, isMovie: isMovie)
      #expect(found == whole || padded != bytes, "\(cut) of \(count)")
      #expect(found != .whole || padded == bytes, "\(cut) of \(count), padded")
    }
  }

  @Test(arguments: fixtures) func aFixtureIsWhole(_ path: String) throws {
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    #expect(try arrival(of: bytes, isMovie: isMovie(path)) == .whole)
  }
}
