/// A picture that others are put on, with areas of colour and masks: as codecs take it for a JPEG, with chroma for each
/// pixel, in sRGB.
package struct SheetCanvas {
  /// The picture.
  package let frame: PlanarFrame

  /// A colour of sRGB.
  package struct Color: Sendable {
    /// Luma, Cb and Cr of JFIF (ITU-T T.871 section 7), from 0 to 255.
    fileprivate let codes: [Int]

    /// - Parameters:
    ///   - red: from 0 to 255, like the others.
    ///   - green: likewise.
    ///   - blue: likewise.
    package init(_ red: Double, _ green: Double, _ blue: Double) {
      let luma = 0.299 * red + 0.587 * green + 0.114 * blue
      codes = [luma, 128 + (blue - luma) / 1.772, 128 + (red - luma) / 1.402].map {
        Int(min(max($0.rounded(), 0), 255))
      }
    }
  }

  /// Makes a canvas of one colour.
  ///
  /// - Returns: nil when it would be too large, see ``FrameFormat/isValid``.
  package init?(width: Int, height: Int, _ color: Color) {
    let format = FrameFormat(width: width, height: height, sampling: .yuv444, color: .sRGBJPEG)
    guard let frame = PlanarFrame(format: format) else { return nil }
    self.frame = frame
    fill((0, 0), (width, height), color)
  }

  /// Puts a colour on an area.
  ///
  /// - Parameters:
  ///   - place: column and row of its upper left corner.
  ///   - size: columns and rows.
  ///   - opacity: how much of the colour is seen, from 0 to 1.
  package func fill(
    _ place: (x: Int, y: Int), _ size: (width: Int, height: Int), _ color: Color, opacity: Double = 1
  ) {
    let share = Int((min(max(opacity, 0), 1) * 255).rounded())
    mix(place, size, color) { _, _ in share }
  }

  /// Puts a colour where a mask says.
  ///
  /// - Parameters:
  ///   - mask: how much of each pixel is covered, row by row: 0 for none, 255 for all.
  ///   - size: columns and rows of the mask.
  ///   - place: column and row of its upper left corner.
  package func draw(
    _ mask: [UInt8], _ size: (width: Int, height: Int), at place: (x: Int, y: Int), _ color: Color
  ) {
    guard mask.count >= size.width * size.height else { return }
    mix(place, size, color) { x, y in Int(mask[y * size.width + x]) }
  }

  /// Puts a picture on the canvas, as far as it lies within.
  ///
  /// - Parameters:
  ///   - picture: 8 bits, as codecs take it for a JPEG; grey, or with chroma for each pixel.
  ///   - place: column and row of its upper left corner.
  package func put(_ picture: PlanarFrame, at place: (x: Int, y: Int)) {
    guard picture.format.bitDepth == 8, place.x >= 0, place.y >= 0,
      [.grey, .yuv444].contains(picture.format.sampling)
    else { return }
    if picture.planes.count == 1 {
      fill(place, (picture.format.width, picture.format.height), Color(128, 128, 128))
    }
    for (source, plane) in zip(picture.planes, frame.planes) {
      plane.copy(source, to: place, sampleSize: 1)
    }
  }

  /// Mixes a colour into an area, as far as it lies within the canvas.
  private func mix(
    _ place: (x: Int, y: Int), _ size: (width: Int, height: Int), _ color: Color,
    _ share: (_ x: Int, _ y: Int) -> Int
  ) {
    let columns = max(place.x, 0)..<max(min(place.x + size.width, frame.format.width), max(place.x, 0))
    let rows = max(place.y, 0)..<max(min(place.y + size.height, frame.format.height), max(place.y, 0))
    for (plane, code) in zip(frame.planes, color.codes) {
      for y in rows {
        let row = plane.row(y)
        for x in columns {
          let share = share(x - place.x, y - place.y)
          guard share > 0 else { continue }
          let old = Int(row.load(fromByteOffset: x, as: UInt8.self))
          let new = (code * share + old * (255 - share) + 127) / 255
          row.storeBytes(of: UInt8(truncatingIfNeeded: new), toByteOffset: x, as: UInt8.self)
        }
      }
    }
  }
}
