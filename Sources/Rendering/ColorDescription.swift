import EditModel

/// The place of chroma samples among the luma samples of a 4:2:0 picture.
///
/// The raw value is `Chroma420SampleLocType` of ITU-T H.273 section 8.7 (also H.264 and HEVC annex E).
package enum ChromaLocation: Int, Hashable, Sendable, CaseIterable {
  /// On the left luma column, between two rows: the default of H.264 and HEVC.
  case left = 0
  /// In the middle of four luma samples, as in JPEG.
  case center = 1
  /// On the top left luma sample.
  case topLeft = 2
  /// Between two columns, on the top row.
  case top = 3
  /// On the bottom left luma sample.
  case bottomLeft = 4
  /// Between two columns, on the bottom row.
  case bottom = 5

  /// The location after the picture was transformed.
  ///
  /// A location on the right luma column cannot be expressed; it becomes the middle of the columns, half a
  /// luma sample away.
  package func turned(by orientation: Orientation) -> ChromaLocation {
    let (x, y) = offset
    let m = orientation.matrix
    let turnedX = min(m.a * x + m.c * y, 0)
    let turnedY = m.b * x + m.d * y
    return ChromaLocation.allCases.first { $0.offset == (turnedX, turnedY) } ?? .center
  }

  /// Direction from the middle of the luma samples: x to the right, y down.
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

/// The colours that sample values stand for, in the code points of ITU-T H.273. 2 is “unspecified” throughout.
package struct ColorDescription: Hashable, Sendable {
  /// `ColourPrimaries`: 1 is BT.709, 9 BT.2020, 12 Display P3.
  package var primaries: Int
  /// `TransferCharacteristics`: 1 is BT.709, 13 sRGB, 18 HLG.
  package var transfer: Int
  /// `MatrixCoefficients`: 1 is BT.709, 5 and 6 BT.601, 9 BT.2020.
  package var matrix: Int
  /// `VideoFullRangeFlag`; nil when nothing says so.
  package var isFullRange: Bool?
  /// The place of chroma samples; nil when nothing says so.
  package var chromaLocation: ChromaLocation?

  /// - Parameters:
  ///   - primaries: `ColourPrimaries`.
  ///   - transfer: `TransferCharacteristics`.
  ///   - matrix: `MatrixCoefficients`.
  ///   - isFullRange: `VideoFullRangeFlag`; nil when unknown.
  ///   - chromaLocation: where chroma samples lie; nil when unknown.
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

  /// Y′CbCr as JFIF defines it: the BT.601 matrix, full range, chroma in the middle (JFIF 1.02, “Standard
  /// color space” and “Spatial relationship of components”). Primaries are the ICC profile's business.
  package static let jpeg = ColorDescription(matrix: 5, isFullRange: true, chromaLocation: .center)

  /// The description of the transformed picture: colours stay, chroma samples move.
  package func turned(by orientation: Orientation) -> ColorDescription {
    var turned = self
    turned.chromaLocation = chromaLocation?.turned(by: orientation)
    return turned
  }
}
