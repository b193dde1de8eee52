import Basics
import EditModel
import Rendering

/// The stored pixels of a PNG. Their colours are not interpreted, so that the picture can be rotated and cropped
/// without loss.
package struct PNGPicture: Sendable {
  /// The layout of the samples, which is never interlaced.
  package private(set) var layout: PNGLayout
  /// The pixels, row by row. Each sample occupies one byte, or two bytes for 16-bit samples, with the more significant
  /// byte first.
  package private(set) var pixels: [UInt8]

  /// The maximum size of a picture in memory, in bytes. This is four bytes for each pixel.
  private static var mostBytes: Int { ReadingLimit.pixels.value << 22 }

  private static let damaged = MediaError.damaged("the picture data is damaged")

  /// Creates a picture from pixels.
  ///
  /// - Parameters:
  ///   - layout: The layout of the pixels.
  ///   - pixels: The pixels, whose number must match the layout.
  init(layout: PNGLayout, pixels: [UInt8]) {
    (self.layout, self.pixels) = (layout, pixels)
  }

  /// Checks that a picture fits into memory.
  ///
  /// - Throws: ``MediaError`` if the picture is too large.
  package static func checkSize(_ layout: PNGLayout) throws {
    guard FrameFormat(width: layout.width, height: layout.height, sampling: .grey).isValid,
      layout.width * layout.height <= mostBytes / layout.bytesPerPixel
    else {
      let canRise = max(layout.width, layout.height) <= 65535 && layout.width * layout.height <= 1 << 30
      throw MediaError(
        "the picture of \(layout.width)x\(layout.height) exceeds the size limit for photos",
        remedy: canRise ? ReadingLimit.pixels.remedy : nil, isUnsupported: true)
    }
  }

  /// Decodes a picture.
  ///
  /// - Parameters:
  ///   - layout: The layout stated in the header.
  ///   - data: The contents of all IDAT chunks.
  /// - Throws: ``MediaError`` if the picture is damaged or too large.
  package init(layout: PNGLayout, data: [UInt8]) throws {
    try Self.checkSize(layout)
    let passes = Pass.all(of: layout)
    let expected = passes.reduce(0) { $0 + $1.bytes(layout) }
    guard var rows = Deflate.inflated(data, limit: max(expected, data.count) + 1 << 16, format: .zlib),
      rows.count >= expected
    else { throw Self.damaged }
    self.layout = layout
    self.layout.isInterlaced = false
    var at = 0
    var pixels = [UInt8](repeating: 0, count: layout.width * layout.height * layout.bytesPerPixel)
    let isSound = pixels.withUnsafeMutableBufferPointer { pixels in
      rows.withUnsafeMutableBufferPointer { rows in
        passes.allSatisfy { pass in
          defer { at += pass.bytes(layout) }
          return pass.unfilter(rows, from: at, layout) && pass.place(rows, from: at, in: pixels, layout)
        }
      }
    }
    guard isSound else { throw Self.damaged }
    self.pixels = pixels
  }

  /// Returns the rotated or flipped picture. The values of samples do not change.
  package func turned(by orientation: Orientation) -> PNGPicture {
    guard orientation != .identity else { return self }
    var turned = layout
    if orientation.swapsAxes { (turned.width, turned.height) = (layout.height, layout.width) }
    // Calculates the old positions of the new picture's first pixels, as pixel indices.
    let back = orientation.inverse
    func place(_ x: Int, _ y: Int) -> Int {
      let old = back.apply(
        x: Double(x) + 0.5, y: Double(y) + 0.5, width: Double(turned.width), height: Double(turned.height))
      return Int(old.y.rounded(.down)) * layout.width + Int(old.x.rounded(.down))
    }
    let first = place(0, 0)
    return moved(
      turned, from: first, stepX: turned.width > 1 ? place(1, 0) - first : 0,
      stepY: turned.height > 1 ? place(0, 1) - first : 0)
  }

  /// Returns a part of the picture.
  ///
  /// - Parameters:
  ///   - first: The position of the part's top-left corner.
  ///   - size: The size of the part, which must lie within the picture.
  package func part(from first: (x: Int, y: Int), _ size: PixelSize) -> PNGPicture {
    var part = layout
    (part.width, part.height) = (size.width, size.height)
    return moved(part, from: first.y * layout.width + first.x, stepX: 1, stepY: layout.width)
  }

  private func moved(_ new: PNGLayout, from first: Int, stepX: Int, stepY: Int) -> PNGPicture {
    let size = layout.bytesPerPixel
    let made = [UInt8](unsafeUninitializedCapacity: new.width * new.height * size) { target, count in
      pixels.withUnsafeBufferPointer { source in
        var to = 0
        for y in 0..<new.height {
          var from = (first + y * stepY) * size
          for _ in 0..<new.width {
            for byte in 0..<size { target[to &+ byte] = source[from &+ byte] }
            to &+= size
            from &+= stepX &* size
          }
        }
      }
      count = new.width * new.height * size
    }
    return PNGPicture(layout: new, pixels: made)
  }

  /// Encodes the picture and returns the joined contents of its IDAT chunks.
  ///
  /// - Throws: ``MediaError`` if memory runs out.
  package func encoded() throws -> [UInt8] {
    let pass = Pass(layout: layout)
    guard let data = Deflate.deflated(pass.filtered(pixels, layout)) else { throw MediaError.noMemory }
    return data
  }
}
