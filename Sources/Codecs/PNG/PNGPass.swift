import EditModel

extension PNGPicture {
  /// A sequence of stored rows: either the complete picture, or one of the seven passes of an interlaced picture
  /// (ISO/IEC 15948 section 8.2).
  struct Pass {
    /// The position of the pass's first pixel in the picture, and the horizontal and vertical distances between pixels
    /// of the pass.
    private let x, y, stepX, stepY: Int
    /// The width and height of the pass in pixels.
    private let width, height: Int

    /// Creates a pass for the complete picture.
    init(layout: PNGLayout) {
      (x, y, stepX, stepY) = (0, 0, 1, 1)
      (width, height) = (layout.width, layout.height)
    }

    private init(_ x: Int, _ y: Int, _ stepX: Int, _ stepY: Int, _ layout: PNGLayout) {
      (self.x, self.y, self.stepX, self.stepY) = (x, y, stepX, stepY)
      width = max(0, layout.width - x + stepX - 1) / stepX
      height = max(0, layout.height - y + stepY - 1) / stepY
    }

    /// Returns the passes of a picture in order.
    static func all(of layout: PNGLayout) -> [Pass] {
      guard layout.isInterlaced else { return [Pass(layout: layout)] }
      return [
        Pass(0, 0, 8, 8, layout), Pass(4, 0, 8, 8, layout), Pass(0, 4, 4, 8, layout),
        Pass(2, 0, 4, 4, layout), Pass(0, 2, 2, 4, layout), Pass(1, 0, 2, 2, layout),
        Pass(0, 1, 1, 2, layout),
      ].filter { $0.width > 0 && $0.height > 0 }
    }

    /// Returns the number of bytes in a row, excluding the row's filter byte.
    private func rowBytes(_ layout: PNGLayout) -> Int { (width * layout.bitsPerPixel + 7) / 8 }

    /// Returns the number of bytes in the pass.
    func bytes(_ layout: PNGLayout) -> Int { height * (rowBytes(layout) + 1) }

    /// Reverses the filters of all rows (section 9.2).
    ///
    /// - Returns: False if the filter of any row is undefined.
    func unfilter(_ data: UnsafeMutableBufferPointer<UInt8>, from start: Int, _ layout: PNGLayout) -> Bool {
      let (count, unit) = (rowBytes(layout), max(1, layout.bitsPerPixel / 8))
      for row in 0..<height {
        let at = start + row * (count + 1) + 1
        let up = row == 0 ? nil : at - count - 1
        switch data[at - 1] {
        case 0: break
        case 1: for i in unit..<max(unit, count) { data[at &+ i] &+= data[at &+ i &- unit] }
        case 2: if let up { for i in 0..<count { data[at &+ i] &+= data[up &+ i] } }
        case 3:
          for i in 0..<count {
            let left = i < unit ? 0 : Int(data[at &+ i &- unit])
            let above = up.map { Int(data[$0 &+ i]) } ?? 0
            data[at &+ i] &+= UInt8(truncatingIfNeeded: (left &+ above) >> 1)
          }
        case 4:
          for i in 0..<count {
            let left = i < unit ? 0 : Int(data[at &+ i &- unit])
            let above = up.map { Int(data[$0 &+ i]) } ?? 0
            let corner = i < unit ? 0 : up.map { Int(data[$0 &+ i &- unit]) } ?? 0
            data[at &+ i] &+= Self.paeth(left, above, corner)
          }
        default: return false
        }
      }
      return true
    }

    /// Returns the neighbour that is nearest to the Paeth predictor, which is calculated from all three neighbours
    /// (section 9.4).
    @inline(__always)
    private static func paeth(_ left: Int, _ above: Int, _ corner: Int) -> UInt8 {
      let expected = left &+ above &- corner
      let (a, b, c) = (abs(expected &- left), abs(expected &- above), abs(expected &- corner))
      return UInt8(truncatingIfNeeded: a <= b && a <= c ? left : b <= c ? above : corner)
    }

    /// Copies the pixels of the pass into the picture. Each sample occupies complete bytes.
    ///
    /// - Returns: Always true.
    func place(
      _ data: UnsafeMutableBufferPointer<UInt8>, from start: Int,
      in pixels: UnsafeMutableBufferPointer<UInt8>, _ layout: PNGLayout
    ) -> Bool {
      let (count, size, depth) = (rowBytes(layout), layout.bytesPerPixel, layout.bitDepth)
      let mask = UInt8(truncatingIfNeeded: (1 << min(depth, 8)) - 1)
      for row in 0..<height {
        let at = start + row * (count + 1) + 1
        var to = ((y + row * stepY) * layout.width + x) * size
        for column in 0..<width {
          if depth >= 8 {
            for byte in 0..<size { pixels[to &+ byte] = data[at &+ column &* size &+ byte] }
          } else {
            let bit = column &* depth
            pixels[to] = data[at &+ bit >> 3] >> UInt8(truncatingIfNeeded: 8 &- depth &- (bit & 7)) & mask
          }
          to &+= stepX &* size
        }
      }
      return true
    }

    /// Returns all rows, each preceded by its filter byte. All filters are tried on each row, and the filter with the
    /// smallest differences is used (section 12.8). Palette indices and samples smaller than a byte are not filtered.
    func filtered(_ pixels: [UInt8], _ layout: PNGLayout) -> [UInt8] {
      let (count, unit, depth) = (rowBytes(layout), max(1, layout.bitsPerPixel / 8), layout.bitDepth)
      let isPlain = layout.colors == .palette || depth < 8
      var out = [UInt8](repeating: 0, count: bytes(layout))
      var row = [UInt8](repeating: 0, count: count)
      var above = row
      var tries = [[UInt8]](repeating: row, count: 5)
      for y in 0..<height {
        let start = y * width * layout.bytesPerPixel
        if depth >= 8 {
          row.replaceSubrange(0..<count, with: pixels[start..<start + count])
        } else {
          for index in row.indices { row[index] = 0 }
          for x in 0..<width {
            let bit = x * depth
            row[bit >> 3] |= pixels[start + x] << UInt8(8 - depth - (bit & 7))
          }
        }
        let at = y * (count + 1)
        let best = isPlain ? 0 : Self.bestFilter(row, above, unit, &tries)
        out[at] = UInt8(best)
        out.replaceSubrange(at + 1..<at + 1 + count, with: best == 0 ? row : tries[best])
        swap(&row, &above)
      }
      return out
    }

    /// - Returns: The filter with the smallest sum of differences. The filtered row is at the filter's index in
    ///   `tries`.
    private static func bestFilter(
      _ row: [UInt8], _ above: [UInt8], _ unit: Int, _ tries: inout [[UInt8]]
    ) -> Int {
      var sums = [0, 0, 0, 0, 0]
      row.withUnsafeBufferPointer { row in
        above.withUnsafeBufferPointer { above in
          for filter in 0..<5 {
            tries[filter].withUnsafeMutableBufferPointer { out in
              var sum = 0
              for i in 0..<row.count {
                let left = i < unit ? 0 : Int(row[i &- unit])
                let up = Int(above[i])
                let expected: UInt8
                switch filter {
                case 0: expected = 0
                case 1: expected = UInt8(truncatingIfNeeded: left)
                case 2: expected = UInt8(truncatingIfNeeded: up)
                case 3: expected = UInt8(truncatingIfNeeded: (left &+ up) >> 1)
                default: expected = paeth(left, up, i < unit ? 0 : Int(above[i &- unit]))
                }
                let difference = row[i] &- expected
                out[i] = difference
                sum &+= Int(difference < 128 ? difference : 0 &- difference)
              }
              sums[filter] = sum
            }
          }
        }
      }
      return sums.indices.min { (sums[$0], $0) < (sums[$1], $1) } ?? 0
    }
  }
}
