/// A canvas onto which pictures, areas of colour and masks are drawn. Its format is ready for JPEG encoding: sRGB with
/// full-resolution chroma (4:4:4).
package struct SheetCanvas {
  /// The picture.
  package let frame: PlanarFrame

  /// An sRGB colour.
  package struct Color: Sendable {
    /// The JFIF values of luma, Cb and Cr (ITU-T T.871 section 7), from 0 to 255.
    fileprivate let codes: [Int]

    /// - Parameters:
    ///   - red: The red value, from 0 to 255.
    ///   - green: The green value, from 0 to 255.
    ///   - blue: The blue value, from 0 to 255.
    package init(_ red: Double, _ green: Double, _ blue: Double) {
      let luma = 0.299 * red + 0.587 * green + 0.114 * blue
      codes = [luma, 128 + (blue - luma) / 1.772, 128 + (red - luma) / 1.402].map {
        Int(min(max($0.rounded(), 0), 255))
      }
    }
  }

  /// Creates a canvas filled with one colour.
  ///
  /// - Returns: Nil if the canvas would be too large. See ``FrameFormat/isValid``.
  package init?(width: Int, height: Int, _ color: Color) {
    let format = FrameFormat(width: width, height: height, sampling: .yuv444, color: .sRGBJPEG)
    guard let frame = PlanarFrame(format: format) else { return nil }
    self.frame = frame
    fill((0, 0), (width, height), color)
  }

  /// Fills an area with a colour.
  ///
  /// - Parameters:
  ///   - place: The column and row of the area's top-left corner.
  ///   - size: The width and height of the area in pixels.
  ///   - opacity: The opacity of the colour, from 0 to 1.
  package func fill(
    _ place: (x: Int, y: Int), _ size: (width: Int, height: Int), _ color: Color, opacity: Double = 1
  ) {
    let share = Int((min(max(opacity, 0), 1) * 255).rounded())
    mix(place, size, color) { _, _ in share }
  }

  /// Draws a colour through a mask.
  ///
  /// - Parameters:
  ///   - mask: The coverage of each pixel, row by row: 0 for none, 255 for full.
  ///   - size: The width and height of the mask in pixels.
  ///   - place: The column and row of the mask's top-left corner.
  package func draw(
    _ mask: [UInt8], _ size: (width: Int, height: Int), at place: (x: Int, y: Int), _ color: Color
  ) {
    guard mask.count >= size.width * size.height else { return }
    mix(place, size, color) { x, y in Int(mask[y * size.width + x]) }
  }

  /// Draws a picture on the canvas, clipped to the canvas.
  ///
  /// - Parameters:
  ///   - picture: The picture, in JPEG colour coding with 8 bits per sample, either grey or with full-resolution chroma
  ///     (4:4:4).
  ///   - place: The column and row of the picture's top-left corner.
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

  /// Blends a colour into an area, clipped to the canvas.
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
