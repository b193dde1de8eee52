import Basics
import EditModel
import FoundationEssentials
import LivePhotoFormat

/// All operations on the headers of a photo of any kind.
struct PhotoChecks {
  let source: any ByteSource
  private let verified: Verified?
  /// Whether the photo's headers can be read.
  private let isReadable: Bool
  /// The photo's coded picture, or nil if it has none.
  private let picture: [UInt8]?
  /// Caches outputs, because most changes of a photo with little metadata produce the same bytes.
  private let outputs = Outputs()

  private final class Outputs {
    var all: [Output] = []
  }

  /// A photo that was written.
  private final class Output {
    let bytes: [UInt8]
    let photo: Photo
    let verified: Verified?
    /// Whether the coded picture was found to be the source's.
    var hasSamePicture = false

    init(bytes: [UInt8], photo: Photo, verified: Verified?) {
      (self.bytes, self.photo, self.verified) = (bytes, photo, verified)
    }
  }

  /// - Parameter source: The photo's file.
  init(source: any ByteSource) {
    self.source = source
    let photo = try? Photo(source)
    verified = photo.flatMap { try? Verified($0) }
    isReadable = (try? photo?.metadata()) != nil
    picture = photo.flatMap { try? Self.picture(of: $0) }
  }

  /// An identifier for pairing.
  static let identifier = "5E11A4D0-7F9A-4C6B-9A50-4D6A4E1C7B3F"

  /// Runs all checks.
  func run() {
    answering {
      let photo = try Photo(source)
      look(at: photo)
      rewrite(photo)
    }
  }

  /// Runs all operations that only read.
  private func look(at photo: Photo) {
    answering { _ = try photo.metadata() }
    answering {
      let inspection = try PhotoInspection(photo)
      expect((try? JSONEncoder().encode(inspection)) != nil, "an inspection is no JSON")
    }
    answering { try photo.checkPicture() }
    answering { _ = try photo.codedMedia() }
    answering { _ = try photo.embeddedThumbnail() }
    answering { _ = try photo.iccProfile() }
    answering { _ = try photo.captureExif() }
    answering { _ = try SidecarFacts(saidBy: source, isPhoto: true).bytes }
    answering {
      var traces = PrivateTraces()
      try traces.add(photo, .all)
    }
    answering {
      let parts = try MotionPhoto.Parts(photo)
      let alone = MemoryByteSink()
      try parts.writePhoto(to: alone)
      let photo = try Photo(MemoryByteSource(alone.bytes))
      _ = try photo.metadata()
      _ = try Movie(parts.movieSource)
    }
  }

  /// Runs all operations that write data and read it again.
  private func rewrite(_ photo: Photo) {
    answering {
      let written = try written(.tied) {
        try photo.write(tiedBy: Self.identifier, replacesNote: true, to: $0)
      }
      expectSamePicture(written)
    }
    answering {
      let written = try written(.untied) { try photo.write(tiedBy: nil, to: $0) }
      expect(try written.contentIdentifier() == nil, "an identifier that was taken out is still there")
      expectSamePicture(written)
    }
    for what in PrivateMetadata.allCases {
      answering {
        let written = try written(.untied) { try photo.write(without: what, identifier: nil, to: $0) }
        expect(try written.metadata().location == nil, "a place that was stripped is still there")
        expect(
          try written.metadata().orientation == photo.metadata().orientation,
          "a stripped photo is shown turned")
        expectSamePicture(written)
      }
    }
    answering {
      let date = DateChange(.set(wallClock: 1_577_646_075_000), offset: 60)
      guard let place = GeoLocation(latitude: 48.137, longitude: -11.575, altitude: 519) else { return }
      var description = DescriptionChange()
      description.title = "A <title> & more"
      description.keywords.add("word")
      description.rating = 4
      let facts = Facts(date: date, place: .set(place), description: description)
      let written = try written { try photo.write(stating: facts, to: $0) }
      let read = try written.metadata()
      expect(
        read.created?.wallClock == 1_577_646_075_000,
        "a date that was set is not there: \(read.captureDate ?? "none")")
      expect(read.location.map { $0.distance(to: place) < 1 } ?? false, "a place that was set is not there")
      expectSamePicture(written)
    }
    answering {
      let profile = [UInt8](repeating: 7, count: 200)
      let written = try written { try photo.write(asDisplayP3: profile, to: $0) }
      expect(
        try written.iccProfile() == profile || written.kind == .heif, "a profile that was set is not there")
      expectSamePicture(written)
    }
    answering {
      let facts = Facts(place: .removed)
      let written = try written { try photo.write(stating: facts, to: $0) }
      expect(try written.metadata().location == nil, "a place that was taken out is still there")
    }
  }

  /// Returns the photo that is written. A photo that could be read before can be read again, and a sound photo remains
  /// sound. In odd files of which only one part is understood, that part may change.
  func written(_ tie: Verified.Tie = .kept, _ write: (MemoryByteSink) throws -> [Removal]) throws -> Photo {
    let sink = MemoryByteSink()
    _ = try write(sink)
    let output = try output(sink.bytes)
    if tie == .tied {
      expect(
        try output.photo.contentIdentifier() == Self.identifier, "an identifier that was set is not there")
    }
    if let verified, let new = output.verified { verified.expectSound(new, tie) }
    return output.photo
  }

  /// Returns a photo that was written, after the checks that apply to every output.
  private func output(_ bytes: [UInt8]) throws -> Output {
    if let known = outputs.all.first(where: { $0.bytes == bytes }) { return known }
    let photo = try Photo(MemoryByteSource(bytes))
    let output = Output(
      bytes: bytes, photo: photo, verified: verified == nil ? nil : try Verified(photo))
    if isReadable {
      do { _ = try photo.metadata() } catch { broken("a photo that was written cannot be read: \(error)") }
    }
    outputs.all.append(output)
    return output
  }

  /// - Throws: An error if the photo has no picture.
  func checkPicture() throws { try Photo(source).checkPicture() }

  /// Returns the colour profile.
  func profile() throws -> [UInt8]? { try Photo(source).iccProfile() }

  /// Compares the photo's coded bytes with those of a photo that was written.
  func expectSamePicture(_ other: Photo) {
    let output = outputs.all.first { $0.photo === other }
    guard let picture, output?.hasSamePicture != true else { return }
    do { expect(try Self.picture(of: other) == picture, "the coded picture changed with the metadata") } catch
    {
      broken("the coded picture of a photo that was written cannot be found: \(error)")
    }
    output?.hasSamePicture = true
  }

  private static func picture(of photo: Photo) throws -> [UInt8] {
    try photo.codedPicture().parts.flatMap { part in
      switch part {
      case .bytes(let bytes): bytes
      case .file(let range): try photo.source.read(at: range.lowerBound, count: range.count)
      }
    }
  }
}
