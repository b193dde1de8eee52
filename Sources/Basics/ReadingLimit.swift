import Synchronization

/// Something of which a file, a name or an asset may not have more, lest it takes memory or time without bound, or has no place.
///
/// The limits hold for the whole process; they are set once, before the first file is read. What is beyond is refused in one sentence.
package enum ReadingLimit: String, CaseIterable, Hashable, Sendable {
  /// Megabytes (2²⁰ bytes) of a photo.
  case photoSize = "photo-size"
  /// Megapixels (2²⁰ pixels) of a picture.
  case pixels
  /// Scans of a JPEG.
  case scans
  /// Segments of a JPEG before its first scan.
  case segments
  /// Pictures behind the first one of a JPEG.
  case furtherPictures = "further-pictures"
  /// Atoms, or boxes, side by side in a file.
  case boxes
  /// Levels of atoms in atoms.
  case nesting
  /// Megabytes (2²⁰ bytes) of a movie's tables: its `moov` atom.
  case tables
  /// Tracks of a movie.
  case tracks
  /// Samples of a track of a movie: frames, pieces of sound.
  case samples
  /// Entries of the edit list of a movie's track.
  case edits
  /// Seconds of a track of a movie.
  case duration
  /// Samples in the fragments of a movie.
  case fragmentSamples = "fragment-samples"
  /// Items of a HEIC photo.
  case items
  /// References of the items of a HEIC photo to each other.
  case references
  /// Items of a list of pictures in a photo's XMP.
  case listedPictures = "listed-pictures"
  /// Elements and attributes of XMP.
  case xmpParts = "xmp-parts"
  /// Levels of elements in elements of XMP.
  case xmpNesting = "xmp-nesting"
  /// Frames of an effect.
  case effectFrames = "effect-frames"
  /// Megabytes (2²⁰ bytes) of an XMP sidecar.
  case sidecar
  /// Megabytes (2²⁰ bytes) of a GPX track.
  case trackSize = "track-size"
  /// Points of a GPX track.
  case trackPoints = "track-points"
  /// Versions of an asset, beyond which it gets no more.
  case versions
  /// Bytes of a name that a new file gets; some file systems, and disks that the files go to later, take fewer than Linux does.
  case names

  /// The value in force where nobody set another: far above what cameras write.
  package var standard: Int {
    switch self {
    case .photoSize: 512
    case .pixels: 128
    case .scans, .furtherPictures, .xmpNesting, .trackSize: 64
    case .boxes, .segments: 4096
    case .nesting: 12
    case .tables: 128
    case .tracks: 512
    case .samples: 100_000_000
    case .duration, .trackPoints: 1_000_000
    case .fragmentSamples: 1 << 20
    case .items: 8192
    case .references: 1 << 16
    case .listedPictures, .edits: 256
    case .xmpParts: 50_000
    case .effectFrames: 900
    case .sidecar: 16
    case .versions: 10_000
    case .names: 255
    }
  }

  /// The values that it takes. Beyond them memory, the stack, or a format's own numbers would end.
  package var range: ClosedRange<Int> {
    switch self {
    case .photoSize, .tables: 1...16384
    case .pixels: 1...2048
    case .scans: 1...10_000
    case .boxes, .tracks, .references, .edits: 1...1_000_000
    case .segments: 16...65536
    case .furtherPictures: 1...4096
    case .nesting: 6...64
    case .xmpNesting: 16...256
    case .xmpParts: 1000...10_000_000
    case .samples, .duration: 1...1_000_000_000
    case .fragmentSamples, .trackPoints: 1...100_000_000
    case .items: 1...65535
    case .effectFrames: 8...10_000
    case .listedPictures: 8...4096
    case .sidecar: 1...512
    case .trackSize: 1...4096
    case .versions: 1...10_000
    case .names: 64...255
    }
  }

  /// The values that were set.
  private static let changed = Mutex<[ReadingLimit: Int]>([:])

  /// The value in force.
  package var value: Int { Self.changed.withLock { $0[self] } ?? standard }

  /// The remedy for a file that is beyond it, which allows twice as much; nil where no more can be allowed.
  package var remedy: Message? {
    guard value < range.upperBound else { return nil }
    let more = min(2 * value, range.upperBound)
    return "if you trust the file, raise the limit, for example with LIVEEDIT_LIMITS=\(rawValue)=\("\(more)")"
  }

  /// Sets limits for this process; the others get their standard values.
  ///
  /// - Parameter values: each within its ``range``; another one counts as its nearest end.
  package static func set(_ values: [ReadingLimit: Int]) {
    let bounded = values.map { limit, value in
      (limit, min(max(value, limit.range.lowerBound), limit.range.upperBound))
    }
    changed.withLock { $0 = Dictionary(uniqueKeysWithValues: bounded) }
  }

  /// Reads limits as they are written in settings: `tracks=1024,items=20000`.
  ///
  /// - Returns: nil where a name is unknown or given twice, or a value is no whole number within its ``range``.
  package static func values(_ text: String) -> [ReadingLimit: Int]? {
    var values: [ReadingLimit: Int] = [:]
    for part in text.split(separator: ",", omittingEmptySubsequences: false) where !text.isEmpty {
      let words = part.split(separator: "=", omittingEmptySubsequences: false)
      guard words.count == 2, let limit = ReadingLimit(rawValue: String(words[0])), values[limit] == nil,
        let value = Int(words[1]), limit.range.contains(value)
      else { return nil }
      values[limit] = value
    }
    return values
  }

  /// The limits that differ from the standard, as ``values(_:)`` reads them; empty where none does.
  package static var text: String {
    allCases.filter { $0.value != $0.standard }.map { "\($0.rawValue)=\($0.value)" }.joined(separator: ",")
  }
}
