import Basics
import FileSystem
import Foundation
import TestSupport
import Testing

@testable import EditLibrary

extension CatalogueLimitsTests {
  /// The size limit counts both the stored marks and those to be added. Data too large to be read again is not written.
  @Test func bytesOfMarksAndAlbums() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      at: folder.file(LibraryPaths.folder), withIntermediateDirectories: false)
    let held = try HeldFolder(path: folder.url.path)
    let marks = Collections(favourites: ["IMG_0001"])
    let rest = (64 << 20) - marks.bytes(generation: 1).count
    for excess in 0...1 {
      let spaces = [UInt8](repeating: UInt8(ascii: " "), count: rest + excess)
      var sealed = marks
      (sealed.generation, sealed.checksum) = (1, SealedJSON.blank)
      try folder.write(SealedJSON.bytes(sealed, ending: [0x0A] + spaces), to: LibraryPaths.collections)
      #expect(try Collections.read(in: held) == (excess == 0 ? marks : nil))
      let full = Collections(
        favourites: ["IMG_0001" + String(repeating: "x", count: rest + excess)])
      if excess == 0 {
        #expect(try full.bytes(for: held, generation: 1).count == 64 << 20)
      } else {
        let error = #expect(throws: EditError.self) { try full.bytes(for: held, generation: 1) }
        #expect(error?.problem.description == "has no space for more marks and albums")
      }
    }
  }
}
