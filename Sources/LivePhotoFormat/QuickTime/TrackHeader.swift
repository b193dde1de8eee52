import EditModel

/// The fields of a track header atom (`tkhd`) that describe the track's width and height, matrix and timing in the
/// movie. QuickTime File Format, “Track Header Atoms”; ISO/IEC 14496-12, section 8.3.2.
struct TrackHeader: Hashable, Sendable {
  /// A QuickTime matrix with the entries a, b, u, c, d, v, x, y, w. The entries u, v and w have 30 fraction bits. The
  /// other entries have 16 fraction bits.
  struct Matrix: Hashable, Sendable {
    var entries: [Int32]

    static let one = Int32(1 << 16)

    /// The combination of 90° rotations and mirroring that the linear part of the matrix represents, or nil if the
    /// linear part represents any other transformation. The translation is ignored, because it is wrong in some files.
    var orientation: Orientation? {
      guard entries.count == 9, entries[2] == 0, entries[5] == 0, entries[8] == 1 << 30 else { return nil }
      func sign(_ value: Int32) -> Int? {
        value == 0 ? 0 : value == Self.one ? 1 : value == -Self.one ? -1 : nil
      }
      guard let a = sign(entries[0]), let b = sign(entries[1]), let c = sign(entries[3]),
        let d = sign(entries[4])
      else { return nil }
      return Orientation(a: a, b: b, c: c, d: d)
    }
  }

  let dates: HeaderDates
  let trackID: UInt32
  let matrix: Matrix
  /// The width before the matrix is applied, in 16.16 fixed point.
  let width: UInt32
  let height: UInt32

  /// The offset of the matrix in the atom's content.
  private let matrixOffset: Int

  /// Whether the track is enabled for playback.
  var isEnabled: Bool { dates.isEnabled }

  init(_ tkhd: Atom) throws {
    var reader = BigEndianReader(tkhd.bytes)
    dates = try HeaderDates(&reader)
    trackID = try reader.uint32()
    try reader.skip(4)
    _ = try reader.time(isWide: dates.isWide)
    try reader.skip(16)
    matrixOffset = reader.offset
    matrix = Matrix(entries: try (0..<9).map { _ in try reader.int32() })
    width = try reader.uint32()
    height = try reader.uint32()
  }

  /// Returns the track duration stated in a track header, in ticks of the movie's time scale, or 0 if the duration is
  /// unknown.
  static func duration(_ tkhd: Atom) throws -> Double {
    var reader = BigEndianReader(tkhd.bytes)
    let isWide = try HeaderDates(&reader).isWide
    try reader.skip(8)
    let ticks = try reader.time(isWide: isWide)
    return ticks == (isWide ? UInt64.max : UInt64(UInt32.max)) ? 0 : Double(ticks)
  }

  /// Writes a new matrix and size into a track header. The bytes of all other fields do not change.
  static func rewrite(_ tkhd: inout Atom, matrix: Matrix, width: UInt32, height: UInt32) throws {
    let offset = try TrackHeader(tkhd).matrixOffset
    for (index, entry) in matrix.entries.enumerated() {
      tkhd.bytes.replace(at: offset + 4 * index, bigEndian: entry)
    }
    tkhd.bytes.replace(at: offset + 36, bigEndian: width)
    tkhd.bytes.replace(at: offset + 40, bigEndian: height)
  }

  /// The position of the picture's top-left corner after the matrix is applied.
  var displayedCorner: (x: Double, y: Double) {
    let m = matrix.values
    let (w, h) = (Double(width) / 65_536, Double(height) / 65_536)
    let x = [0, m[0] * w, m[3] * h, m[0] * w + m[3] * h].min() ?? 0
    let y = [0, m[1] * w, m[4] * h, m[1] * w + m[4] * h].min() ?? 0
    return (x + m[6], y + m[7])
  }
}

extension TrackHeader.Matrix {
  /// Creates a matrix that rotates or mirrors a picture and then moves the transformed picture back to the origin.
  ///
  /// - Parameters:
  ///   - width: The picture's width before the transformation, in 16.16 fixed point.
  ///   - height: The picture's height before the transformation, in 16.16 fixed point.
  init(_ orientation: Orientation, width: UInt32, height: UInt32) {
    let m = orientation.matrix
    let w = Int32(truncatingIfNeeded: width)
    let h = Int32(truncatingIfNeeded: height)
    entries = [
      Int32(m.a) * Self.one, Int32(m.b) * Self.one, 0,
      Int32(m.c) * Self.one, Int32(m.d) * Self.one, 0,
      (m.a < 0 ? w : 0) &+ (m.c < 0 ? h : 0), (m.b < 0 ? w : 0) &+ (m.d < 0 ? h : 0), 1 << 30,
    ]
  }

  /// The nine entries as floating-point numbers.
  var values: [Double] {
    entries.enumerated().map { index, entry in
      Double(entry) / Double(index % 3 == 2 ? 1 << 30 : 1 << 16)
    }
  }
}
