import Basics
import EditModel
import TestSupport
import Testing

@testable import LivePhotoFormat

struct AppleMakerNoteTests {
  // A note as written by Apple's ImageIO if it contains only an identifier.
  @Test func createsTheSmallestNote() throws {
    let note = AppleMakerNote(contentIdentifier: firstIdentifier)
    let head: [UInt8] = [
      0x41, 0x70, 0x70, 0x6C, 0x65, 0x20, 0x69, 0x4F, 0x53, 0, 0, 1, 0x4D, 0x4D, 0, 1, 0, 0x11, 0, 2, 0, 0, 0,
      0x25, 0, 0, 0, 0x20, 0, 0, 0, 0,
    ]
    #expect(note.bytes == head + Array(firstIdentifier.utf8) + [0])
    #expect(note.bytes.count == 69)
  }

  @Test func changesTheIdentifierInPlace() throws {
    var note = try #require(AppleMakerNote(appleNote(identifier: firstIdentifier)))
    #expect(note.contentIdentifier == firstIdentifier)
    try note.setContentIdentifier(secondIdentifier)
    #expect(note.bytes == appleNote(identifier: secondIdentifier))
  }

  @Test func tellsTheAcceleration() throws {
    var bytes = appleNote(identifier: nil)
    let acceleration = try #require(AppleMakerNote(bytes)?.acceleration)
    #expect([acceleration.right, acceleration.top, acceleration.out] == [0.5, 0.75, 5.0 / 6])
    // A division by zero, and a value beyond the end of the note.
    let values: [UInt8] = [0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3]
    let place = try #require(bytes.indices.first { bytes[$0...].starts(with: values) })
    bytes[place] = 0xFF
    #expect(AppleMakerNote(bytes)?.acceleration?.right == -8_388_607.5)
    bytes[place + 7] = 0
    #expect(AppleMakerNote(bytes)?.acceleration == nil)
    #expect(AppleMakerNote(Array(bytes.prefix(place + 8)))?.acceleration == nil)
  }

  @Test func addsTheTagBesideOthers() throws {
    let folder = try TemporaryFolder()
    var note = try #require(AppleMakerNote(appleNote(identifier: nil)))
    #expect(note.contentIdentifier == nil)
    try note.setContentIdentifier(firstIdentifier)
    #expect(note.tags == [0x01, 0x03, 0x04, 0x05, 0x08, 0x11, 0x14])
    let before = try Self.tags(of: appleNote(identifier: nil), folder)
    let after = try Self.tags(of: note.bytes, folder)
    #expect(before.count >= 4)
    #expect(after["Apple:MediaGroupUUID"] ?? after["Apple:ContentIdentifier"] == firstIdentifier)
    #expect(after.filter { $0.value != firstIdentifier } == before)
  }

  @Test func keepsSixtyFourBitValues() throws {
    var note = try #require(AppleMakerNote(appleNote(identifier: nil, hasLong8: true)))
    try note.setContentIdentifier(firstIdentifier)
    let block = TIFFBlock(bytes: note.bytes, order: .big, mainLink: nil, mainPosition: 14)
    #expect(block.data(0x0017, in: .main) == [0, 0, 0, 2, 0, 82, 16, 36])
    #expect(note.contentIdentifier == firstIdentifier)
  }

  @Test func takesALongerIdentifier() throws {
    let folder = try TemporaryFolder()
    var note = try #require(AppleMakerNote(appleNote(identifier: firstIdentifier)))
    try note.setContentIdentifier(firstIdentifier + "-longer")
    let before = try Self.tags(of: appleNote(identifier: firstIdentifier), folder)
    let after = try Self.tags(of: note.bytes, folder)
    #expect(after == before.mapValues { $0 == firstIdentifier ? firstIdentifier + "-longer" : $0 })
    #expect(note.bytes.firstIndex(of: firstIdentifier + "\0") == nil)
  }

  @Test func refusesWhatIsNotApples() {
    #expect(AppleMakerNote(Array("Nikon\0\u{2}\u{10}\0\0MM\0*\0\0\0\u{8}\0\0".utf8)) == nil)
    #expect(AppleMakerNote(Array("Apple iOS\0".utf8)) == nil)
    #expect(AppleMakerNote([]) == nil)
  }

  @Test func refusesToAddToADamagedNote() throws {
    let whole = appleNote(identifier: nil)
    for length in 16..<whole.count {
      guard var note = AppleMakerNote(Array(whole[..<length])) else { continue }
      #expect(throws: MediaError.self) { try note.setContentIdentifier(firstIdentifier) }
    }
  }

  /// Returns the tags that exiftool reads from a note inside a JPEG's Exif block.
  private static func tags(of note: [UInt8], _ folder: TemporaryFolder) throws -> [String: String] {
    // Warnings about the note would appear as `ExifTool:Warning`.
    let tags = try folder.tags(
      inserting(exifSegment(note: note), into: try folder.photo(width: 8, height: 8)))
    #expect(tags["ExifTool:Warning"] == nil)
    return tags.filter { $0.key.hasPrefix("Apple:") }
  }
}
