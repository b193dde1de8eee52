import EditModel
import FileSystem
import Foundation
import TestSupport
import Testing

@testable import EditLibrary

/// Tests of finding the files beside the originals without listing the folder.
@Suite struct EditedFilesTests {
  let folder: TemporaryFolder
  let originals = ["IMG_0001.JPG", "IMG_0001.MOV"]
  let stem = "IMG_0001"

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Returns the files found by testing names. The result must be the same if the names in the folder are known.
  func asked(recorded: [VersionFile] = []) throws -> [String] {
    let held = try HeldFolder(path: folder.url.path)
    let present = Set(
      try FileManager.default.contentsOfDirectory(atPath: folder.url.path).map { $0.lowercased() })
    let (all, known) = (
      try EditedFiles(originals: originals, ofAsset: stem, recorded: recorded, in: held),
      try EditedFiles(originals: originals, ofAsset: stem, recorded: recorded, in: held, present: present)
    )
    #expect(all.names.map(\.name) == known.names.map(\.name))
    return all.names.map(\.name)
  }

  @Test(arguments: [
    "IMG_E0001.JPG", "IMG_E0001.Jpg", "IMG_E0001.jPeG", "IMG_E0001.HeIf", "IMG_E0001.hIF", "IMG_E0001.Mov",
    "IMG_E0001.mP4", "IMG_E0001.Qt", "IMG_E0001.M4v", "IMG_0001.aAe",
  ])
  func everyCaseIsSeen(_ name: String) throws {
    try folder.write([], to: name)
    for other in ["IMG_E0001.txt", "IMG_0001.JPG", "IMG_E0002.JPG", "IMG_E0001"] {
      try folder.write([], to: other)
    }
    #expect(try asked() == [name])
    let listing = try FolderListing(folder: folder.url.path)
    #expect(EditedFiles(originals: originals, ofAsset: stem, in: listing).names.map(\.name) == [name])
  }

  /// A file system that ignores case returns the same file for each spelling. A hard link simulates that here.
  @Test func oneFileUnderNamesThatDifferInCaseIsOne() throws {
    let file = try folder.write([1], to: "IMG_E0001.jpg")
    try FileManager.default.linkItem(at: file, to: folder.file("IMG_E0001.JPG"))
    let print = try Fingerprint(of: file.lastPathComponent, in: HeldFolder(path: folder.url.path))
    for name in ["IMG_E0001.jpg", "IMG_E0001.JPG"] {
      #expect(try asked(recorded: [VersionFile(role: .photo, name: name, fingerprint: print)]) == [name])
    }
    try folder.write([1], to: "IMG_E0001.Jpg")
    #expect(try asked().count == 2)
  }
}
