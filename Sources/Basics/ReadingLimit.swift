import Synchronization

/// A limit on the content of a file, a name or an asset. Without limits, files could use unlimited memory or time, and
/// names could become too long.
///
/// The limits apply to the whole process and are set once, before the first file is read. Content that exceeds a limit
/// is rejected with a one-sentence error.
package enum ReadingLimit: String, CaseIterable, Hashable, Sendable {
  /// The maximum size of a photo in mebibytes (MiB).
  case photoSize = "photo-size"
  /// The maximum size of a picture, in units of 2²⁰ pixels.
  case pixels
  /// The number of scans in a JPEG.
  case scans
  /// The number of segments in a JPEG before its first scan.
  case segments
  /// The number of additional pictures after the first picture in a JPEG.
  case furtherPictures = "further-pictures"
  /// The number of atoms or boxes on one level of a file.
  case boxes
  /// The number of levels of nested atoms.
  case nesting
  /// The maximum size of a movie's tables (its `moov` atom) in mebibytes (MiB).
  case tables
  /// The number of tracks in a movie.
  case tracks
  /// The number of samples in a movie track: frames or blocks of audio.
  case samples
  /// The number of entries in the edit list of a movie track.
  case edits
  /// The duration of a movie track in seconds.
  case duration
  /// The number of samples in the fragments of a movie.
  case fragmentSamples = "fragment-samples"
  /// The number of items in a HEIC photo.
  case items
  /// The number of references between the items of a HEIC photo.
  case references
  /// The number of items in a list of pictures in a photo's XMP.
  case listedPictures = "listed-pictures"
  /// The number of elements and attributes in XMP.
  case xmpParts = "xmp-parts"
  /// The number of levels of nested elements in XMP.
  case xmpNesting = "xmp-nesting"
  /// The number of frames in an effect.
  case effectFrames = "effect-frames"
  /// The maximum size of an XMP sidecar in mebibytes (MiB).
  case sidecar
  /// The maximum size of a GPX track in mebibytes (MiB).
  case trackSize = "track-size"
  /// The number of points in a GPX track.
  case trackPoints = "track-points"
  /// The number of versions of an asset. Once the limit is reached, no further versions can be added.
  case versions
  /// The maximum length of a new file's name in bytes. The file may later be copied to a file system that allows only
  /// shorter names than Linux does.
  case names

  /// The default value, which is far above the values in files that cameras write.
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

  /// The range of allowed values. Larger values would exhaust memory or the stack, or exceed a format's own limits.
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

  /// The values that differ from the defaults.
  private static let changed = Mutex<[ReadingLimit: Int]>([:])

  /// The value that applies to this process.
  package var value: Int { Self.changed.withLock { $0[self] } ?? standard }

  /// The remedy for a file that exceeds the limit, which is to double the limit; nil if the limit cannot be raised
  /// further.
  package var remedy: Message? {
    guard value < range.upperBound else { return nil }
    let more = min(2 * value, range.upperBound)
    return "if you trust the file, raise the limit, for example with LIVEEDIT_LIMITS=\(rawValue)=\("\(more)")"
  }

  /// Sets limits for this process. All other limits are reset to their default values.
  ///
  /// - Parameter values: The new values. Values outside a limit's ``range`` are clamped.
  package static func set(_ values: [ReadingLimit: Int]) {
    let bounded = values.map { limit, value in
      (limit, min(max(value, limit.range.lowerBound), limit.range.upperBound))
    }
    changed.withLock { $0 = Dictionary(uniqueKeysWithValues: bounded) }
  }

  /// Reads limits in the form used in settings: `tracks=1024,items=20000`.
  ///
  /// - Returns: Nil if a name is unknown or occurs twice, or if a value is not a whole number within its ``range``.
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

  /// The limits that differ from their defaults, in the form that ``values(_:)`` reads; empty if all limits have their
  /// defaults.
  package static var text: String {
    allCases.filter { $0.value != $0.standard }.map { "\($0.rawValue)=\($0.value)" }.joined(separator: ",")
  }
}
