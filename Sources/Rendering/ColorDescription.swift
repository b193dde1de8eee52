import EditModel

/// The position of chroma samples relative to the luma samples of a 4:2:0 picture.
///
/// The raw value is `Chroma420SampleLocType` of ITU-T H.273 section 8.7 (also H.264 and HEVC annex E).
package enum ChromaLocation: Int, Hashable, Sendable, CaseIterable {
  /// At the left luma column, between two rows. This is the default of H.264 and HEVC.
  case left = 0
  /// In the centre of four luma samples, as in JPEG.
  case center = 1
  /// On the top-left luma sample.
  case topLeft = 2
  /// Between two columns, on the top row.
  case top = 3
  /// On the bottom-left luma sample.
  case bottomLeft = 4
  /// Between two columns, on the bottom row.
  case bottom = 5

  /// Returns the location after the picture has been rotated or mirrored.
  ///
  /// A location at the right luma column cannot be expressed. Such a location becomes the centre between the columns,
  /// half a luma sample away.
  package func turned(by orientation: Orientation) -> ChromaLocation {
    let (x, y) = offset
    let m = orientation.matrix
    let turnedX = min(m.a * x + m.c * y, 0)
    let turnedY = m.b * x + m.d * y
    return ChromaLocation.allCases.first { $0.offset == (turnedX, turnedY) } ?? .center
  }

  /// The direction from the centre of the luma samples to the chroma sample: x points right, y points down.
  var offset: (x: Int, y: Int) {
    switch self {
    case .left: (-1, 0)
    case .center: (0, 0)
    case .topLeft: (-1, -1)
    case .top: (0, -1)
    case .bottomLeft: (-1, 1)
    case .bottom: (0, 1)
    }
  }
}

/// How sample values represent colours, in the code points of ITU-T H.273. The value 2 always means “unspecified”.
package struct ColorDescription: Hashable, Sendable {
  /// `ColourPrimaries`: 1 is BT.709, 9 BT.2020, 12 Display P3.
  package var primaries: Int
  /// `TransferCharacteristics`: 1 is BT.709, 13 sRGB, 18 HLG.
  package var transfer: Int
  /// `MatrixCoefficients`: 1 is BT.709, 5 and 6 BT.601, 9 BT.2020.
  package var matrix: Int
  /// `VideoFullRangeFlag`, or nil if the file does not state the range.
  package var isFullRange: Bool?
  /// The position of chroma samples, or nil if the file does not state it.
  package var chromaLocation: ChromaLocation?

  /// - Parameters:
  ///   - primaries: `ColourPrimaries`.
  ///   - transfer: `TransferCharacteristics`.
  ///   - matrix: `MatrixCoefficients`.
  ///   - isFullRange: `VideoFullRangeFlag`, or nil if unknown.
  ///   - chromaLocation: The position of chroma samples, or nil if unknown.
  package init(
    primaries: Int = 2, transfer: Int = 2, matrix: Int = 2, isFullRange: Bool? = nil,
    chromaLocation: ChromaLocation? = nil
  ) {
    self.primaries = primaries
    self.transfer = transfer
    self.matrix = matrix
    self.isFullRange = isFullRange
    self.chromaLocation = chromaLocation
  }

  /// Y′CbCr as defined by JFIF: the BT.601 matrix, full range, centred chroma (JFIF 1.02, “Standard color space” and
  /// “Spatial relationship of components”). The ICC profile defines the primaries.
  package static let jpeg = ColorDescription(matrix: 5, isFullRange: true, chromaLocation: .center)

  /// Returns the description of the rotated or mirrored picture. Only the position of chroma samples changes; the
  /// colours stay the same.
  package func turned(by orientation: Orientation) -> ColorDescription {
    var turned = self
    turned.chromaLocation = chromaLocation?.turned(by: orientation)
    return turned
  }
}
