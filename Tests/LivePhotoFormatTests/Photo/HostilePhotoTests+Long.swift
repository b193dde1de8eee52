import Basics
import EditModel
import TestSupport
import Testing

@testable import LivePhotoFormat

/// Tests of damaged and hostile files, which cause an error or a complete result, never a crash.
struct HostilePhotoTests {
  private let rounds = Cases.areAllRun ? 500 : 120

  /// Returns a small photo that contains every kind of data that is rewritten.
  private static func richPhoto(_ folder: TemporaryFolder, order: String) throws -> [UInt8] {
    let region =
      "-XMP-mwg-rs:RegionInfo={AppliedToDimensions={W=64,H=48,Unit=pixel},RegionList=[{Name=Ann,Type=Face,"
      + "Area={X=0.25,Y=0.125,W=0.5,H=0.0625,Unit=normalized}}]}"
    return try JPEGSurgeryTests.phonePhoto(
      folder, order: order, extra: [region, "-XMP-tiff:Orientation#=6", "-XMP-exif:ExifImageWidth=64"]
    ).photo
  }

  /// Rewrites everything that can be rewritten. The result must be a JPEG.
  private static func rewrite(_ photo: [UInt8], image: [UInt8]) {
    guard let surgery = try? JPEGSurgery(photo) else { return }
    _ = surgery.isMotionPhoto
    let thumbnail = surgery.embeddedThumbnail
    for (identifier, thumbnail) in [(secondIdentifier, thumbnail), (nil, nil)] {
      guard
        let result = try? surgery.rewritten(
          image: image, transform: .right, identifier: identifier, thumbnail: thumbnail)
      else { continue }
      #expect((try? JPEGSurgery(result.bytes))?.metadata.storedWidth == 48)
      if let identifier {
        #expect((try? Photo(MemoryByteSource(result.bytes)).metadata())?.contentIdentifier == identifier)
      }
    }
  }

  @Test(arguments: ["MM", "II"]) func survivesChangedBytes(order: String) throws {
    let folder = try TemporaryFolder()
    let photo = try Self.richPhoto(folder, order: order)
    let image = try folder.turned(photo, .right)
    let header = try JPEGFile(photo).picture.lowerBound
    var generator = SeededGenerator(seed: order == "MM" ? 1 : 2)
    for _ in 0..<rounds {
      var damaged = photo
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let at = Int.random(in: 2..<header, using: &generator)
        damaged[at] =
          [0, 1, 0x7F, 0x80, 0xFF, UInt8.random(in: 0...255, using: &generator)]
          .randomElement(using: &generator) ?? 0
      }
      Self.rewrite(damaged, image: image)
    }
  }

  // Random offsets, counts and types in the Exif block and in the maker note.
  @Test(arguments: ["MM", "II"]) func survivesWildExif(order: String) throws {
    let folder = try TemporaryFolder()
    let photo = try Self.richPhoto(folder, order: order)
    let image = try folder.turned(photo, .right)
    let file = try JPEGFile(photo)
    let exif = try #require(file.header.segments.first { $0.marker == 0xE1 }).payload.dropFirst(6)
    let block = Array(photo[exif])
    var generator = SeededGenerator(seed: order == "MM" ? 3 : 4)
    let wild: [UInt32] = [0, 1, 4, 8, 0xFFFF, 0x10000, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF]
    for _ in 0..<rounds {
      var damaged = photo
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        // Directories are at the beginning. Offsets into the block are the most dangerous values.
        let at = exif.lowerBound + Int.random(in: 4..<min(700, block.count - 4), using: &generator)
        let value =
          Bool.random(using: &generator)
          ? wild.randomElement(using: &generator) ?? 0
          : UInt32.random(in: 0..<UInt32(block.count), using: &generator)
        let bytes = (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
        damaged.replaceSubrange(at..<at + 4, with: order == "MM" ? bytes : bytes.reversed())
      }
      Self.rewrite(damaged, image: image)
    }
  }

  @Test func survivesTruncatedSegments() throws {
    let folder = try TemporaryFolder()
    let photo = try Self.richPhoto(folder, order: "MM")
    let image = try folder.turned(photo, .right)
    for segment in try JPEGFile(photo).header.segments where segment.isMetadata {
      let step = max(1, segment.payload.count / (Cases.areAllRun ? 200 : 50))
      for length in stride(from: 0, to: segment.payload.count, by: step) {
        let payload = photo[segment.payload].prefix(length)
        let cut = LivePhotoFormatTests.segment(segment.marker, payload)
        Self.rewrite(
          Array(photo[..<segment.range.lowerBound] + cut + photo[segment.range.upperBound...]), image: image)
      }
    }
  }

  @Test func survivesRandomXML() throws {
    let alphabet = Array("<>/='\"&;:# ax!?-[]".utf8)
    var generator = SeededGenerator(seed: 5)
    for _ in 0..<20_000 {
      let text = (0..<Int.random(in: 0...40, using: &generator)).map { _ in
        alphabet.randomElement(using: &generator) ?? 0
      }
      guard var packet = try XMPPacket(text) else { continue }
      let size = PixelSize(width: 1, height: 1)
      packet.describe(
        PictureChange(
          transform: .identity, orientation: .identity, old: size, new: size, isNewPicture: false))
      #expect(packet.rewritten(limit: 100) == text)
    }
  }

  @Test func survivesDirectoriesThatReferToThemselves() throws {
    let folder = try TemporaryFolder()
    let photo = try folder.photo()
    let image = try folder.turned(photo, .right)
    // IFD0 is its own Exif IFD, GPS IFD and next IFD.
    let loop: [UInt8] =
      Array("Exif\0\0MM\0*\0\0\0\u{8}".utf8) + [
        0, 2, 0x87, 0x69, 0, 4, 0, 0, 0, 1, 0, 0, 0, 8, 0x88, 0x25, 0, 4, 0, 0, 0, 1, 0, 0, 0, 8, 0, 0, 0, 8,
      ]
    Self.rewrite(inserting(segment(0xE1, loop), into: photo), image: image)
    let empty: [UInt8] = Array("Exif\0\0II*\0\u{8}\0\0\0".utf8)
    Self.rewrite(inserting(segment(0xE1, empty), into: photo), image: image)
    Self.rewrite(inserting(segment(0xE1, empty + [0xFF, 0xFF]), into: photo), image: image)
  }

  @Test func boundsTheNumberOfSegments() throws {
    let folder = try TemporaryFolder()
    let photo = try folder.photo()
    let many = (0..<5000).flatMap { _ in segment(0xFE, []) }
    #expect(throws: MediaError.self) { try JPEGFile(inserting(many, into: photo)) }
  }
}
