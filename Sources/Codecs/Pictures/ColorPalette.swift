/// A histogram of colours with 5 bits per channel.
struct ColorHistogram {
  private var counts = [Int](repeating: 0, count: 1 << 15)

  /// Counts the colours of pixels in the format 0xAARRGGBB.
  mutating func add(_ pixels: [UInt32]) {
    for pixel in pixels { counts[ColorPalette.cell(pixel)] &+= 1 }
  }

  /// Returns the colours that best represent all counted colours. The box of colours with the largest product of pixel
  /// count and longest side is repeatedly split at its median (P. Heckbert, “Color image quantization for frame buffer
  /// display”, 1982).
  func palette(_ most: Int = 255) -> ColorPalette {
    struct Box {
      var cells: [Int]
      var count: Int
    }
    func channel(_ cell: Int, _ index: Int) -> Int { cell >> (10 - 5 * index) & 31 }
    func longest(_ box: Box) -> (index: Int, length: Int) {
      let lengths = (0..<3).map { index -> Int in
        let values = box.cells.map { channel($0, index) }
        return (values.max() ?? 0) - (values.min() ?? 0)
      }
      // The human eye is most sensitive to green and least sensitive to blue.
      let index = [1, 0, 2].max { lengths[$0] < lengths[$1] } ?? 1
      return (index, lengths[index])
    }
    let used = counts.indices.filter { counts[$0] > 0 }
    var boxes = [Box(cells: used, count: used.reduce(0) { $0 + counts[$1] })]
    var measures = boxes.map { $0.count * longest($0).length }
    while boxes.count < most, let at = measures.indices.max(by: { measures[$0] < measures[$1] }),
      measures[at] > 0
    {
      let box = boxes[at]
      let index = longest(box).index
      let sorted = box.cells.sorted { (channel($0, index), $0) < (channel($1, index), $1) }
      var sum = 0
      var cut = 1
      for (place, cell) in sorted.enumerated().dropLast() {
        sum += counts[cell]
        cut = place + 1
        if sum >= box.count / 2 { break }
      }
      let halves = [sorted[..<cut], sorted[cut...]].map { cells in
        Box(cells: Array(cells), count: cells.reduce(0) { $0 + counts[$1] })
      }
      boxes[at] = halves[0]
      boxes.append(halves[1])
      measures[at] = halves[0].count * longest(halves[0]).length
      measures.append(halves[1].count * longest(halves[1]).length)
    }
    return ColorPalette(
      boxes.map { box in
        let mean = (0..<3).map { index -> UInt32 in
          let sum = box.cells.reduce(0) { $0 + counts[$1] * channel($1, index) }
          let value = Double(sum) / Double(max(box.count, 1))
          return UInt32(min(255, (value * 255 / 31).rounded()))
        }
        return 0xFF00_0000 | mean[0] << 16 | mean[1] << 8 | mean[2]
      })
  }
}

/// A palette of at most 256 colours.
struct ColorPalette {
  /// The colours in the format 0xAARRGGBB.
  let colors: [UInt32]
  /// The index of the nearest colour for each cell of the histogram.
  private let nearest: [UInt8]

  init(_ colors: [UInt32]) {
    self.colors = colors
    nearest = (0..<1 << 15).map { cell -> UInt8 in
      let wanted = (0..<3).map { (cell >> (10 - 5 * $0) & 31) * 255 / 31 }
      var best = (index: 0, distance: Int.max)
      for (index, color) in colors.enumerated() {
        var distance = 0
        for channel in 0..<3 {
          let difference = wanted[channel] - Int(color >> UInt32(16 - 8 * channel) & 255)
          distance += difference * difference * [3, 6, 1][channel]
        }
        if distance < best.distance { best = (index, distance) }
      }
      return UInt8(truncatingIfNeeded: best.index)
    }
  }

  /// Returns the histogram cell of a pixel.
  static func cell(_ pixel: UInt32) -> Int {
    Int(pixel >> 19 & 31) << 10 | Int(pixel >> 11 & 31) << 5 | Int(pixel >> 3 & 31)
  }

  /// The Bayer dithering matrix of order 4.
  private static let bayer = [0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5]

  /// Returns a palette index for each pixel of a picture. An ordered dither pattern hides the steps between colours.
  /// The pattern stays fixed even if the picture content moves.
  func dithered(_ picture: Animation.Picture) -> [UInt8] {
    var indices = [UInt8](repeating: 0, count: picture.pixels.count)
    for place in indices.indices {
      let (y, x) = place.quotientAndRemainder(dividingBy: picture.width)
      let shift = Self.bayer[(y & 3) * 4 + x & 3] - 8
      let pixel = picture.pixels[place]
      var cell = 0
      for channel in [UInt32(16), 8, 0] {
        let value = min(max(Int(pixel >> channel & 255) + shift, 0), 255)
        cell = cell << 5 | value >> 3
      }
      indices[place] = nearest[cell]
    }
    return indices
  }
}
