/// The part of the stored frames that is shown, in pixels: a clean aperture in decimal numbers.
package struct FrameAperture: Encodable, Hashable, Sendable {
  /// Columns that are shown.
  package let width: Double
  /// Rows that are shown.
  package let height: Double
  /// The distance of its centre to the right of the picture's.
  package let horizontalOffset: Double
  /// The distance of its centre below the picture's.
  package let verticalOffset: Double

  init(_ clap: CleanAperture) {
    width = clap.width.value
    height = clap.height.value
    horizontalOffset = clap.horizontalOffset.value
    verticalOffset = clap.verticalOffset.value
  }
}

/// An atom of `tapt` (QuickTime File Format, “Track Aperture Mode Dimensions”).
enum TrackAperture {
  /// Its size in pixels, before the matrix.
  static func size(_ aperture: Atom) throws -> VideoInspection.Size {
    var reader = BigEndianReader(aperture.bytes)
    try reader.skip(4)
    return VideoInspection.Size(
      width: Double(try reader.uint32()) / 65_536, height: Double(try reader.uint32()) / 65_536)
  }

  /// Makes all sizes those of frames that are shown whole: clean and production aperture as shown, with square pixels,
  /// the encoded one as stored.
  ///
  /// - Parameters:
  ///   - width: the frames' width as shown, in 16.16 fixed point.
  ///   - height: their height.
  static func set(
    _ tapt: inout Atom, width: UInt32, height: UInt32, of description: VisualSampleDescription
  ) throws {
    try tapt.changeChildren { apertures in
      for index in apertures.indices where apertures[index].bytes.count >= 12 {
        let isEncoded = apertures[index].kind == "enof"
        apertures[index].bytes.replace(
          at: 4, bigEndian: isEncoded ? UInt32(description.width) << 16 : width)
        apertures[index].bytes.replace(
          at: 8, bigEndian: isEncoded ? UInt32(description.height) << 16 : height)
      }
    }
  }
}
