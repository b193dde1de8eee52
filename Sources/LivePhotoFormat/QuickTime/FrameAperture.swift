/// A clean aperture as decimal numbers: the displayed part of the stored frames, in pixels.
package struct FrameAperture: Encodable, Hashable, Sendable {
  /// The width of the displayed part in pixels.
  package let width: Double
  /// The height of the displayed part in pixels.
  package let height: Double
  /// The horizontal distance from the picture's centre to the aperture's centre. Positive values point right.
  package let horizontalOffset: Double
  /// The vertical distance from the picture's centre to the aperture's centre. Positive values point down.
  package let verticalOffset: Double

  init(_ clap: CleanAperture) {
    width = clap.width.value
    height = clap.height.value
    horizontalOffset = clap.horizontalOffset.value
    verticalOffset = clap.verticalOffset.value
  }
}

/// Functions for the atoms inside `tapt` (QuickTime File Format, “Track Aperture Mode Dimensions”).
enum TrackAperture {
  /// Returns the width and height of an aperture in pixels, before the track matrix is applied.
  static func size(_ aperture: Atom) throws -> VideoInspection.Size {
    var reader = BigEndianReader(aperture.bytes)
    try reader.skip(4)
    return VideoInspection.Size(
      width: Double(try reader.uint32()) / 65_536, height: Double(try reader.uint32()) / 65_536)
  }

  /// Sets all aperture sizes for frames that are displayed without cropping. The clean and production apertures get the
  /// displayed size in square pixels. The encoded aperture gets the stored size.
  ///
  /// - Parameters:
  ///   - width: The displayed width of the frames, in 16.16 fixed point.
  ///   - height: The displayed height of the frames, in 16.16 fixed point.
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
