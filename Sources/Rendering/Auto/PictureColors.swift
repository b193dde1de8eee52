/// The colours of selected pixels of a picture, as linear light in the working space.
package struct PictureColors: Sendable {
  /// One colour for each selected pixel.
  private(set) var samples: [SIMD3<Double>] = []
  /// The same colours as linear light with sRGB primaries. Colours outside sRGB have negative values.
  private(set) var primaries: [SIMD3<Double>] = []
  /// The sums of squared differences between neighbouring pixels that are neither clipped nor black.
  private(set) var edges = SIMD3<Double>()
  /// The encoding of the picture's colours, or nil until pixels have been added.
  private(set) var encoding: ColorEncoding?
  /// Whether the camera's automatic white balance was active.
  let isBalanced: Bool
  private let space: ColorEncoding.Space?

  /// The number of pixels selected along the longer side. The pixels are used without averaging, because averages would
  /// hide small bright details.
  private static let side = 192

  /// Creates a collection without pixels.
  ///
  /// - Parameters:
  ///   - profile: The ICC profile of the pictures, or nil if the pictures have none.
  ///   - isBalanced: Whether the camera states that its automatic white balance was active.
  package init(profile: [UInt8]? = nil, isBalanced: Bool = false) {
    self.isBalanced = isBalanced
    space = profile.flatMap(ICCProfileReader.space)
  }

  /// Adds pixels of a picture, or of a further frame of the same movie.
  ///
  /// - Parameter frame: A frame of any size, sampling and depth.
  package mutating func add(_ frame: PlanarFrame) {
    let (width, height) = (frame.format.width, frame.format.height)
    let longest = max(width, height)
    add(frame, columns: Self.places(width, of: longest), rows: Self.places(height, of: longest))
  }

  /// Adds the pixels at given columns and rows.
  mutating func add(_ frame: PlanarFrame, columns: [Int], rows: [Int]) {
    let format = frame.format
    let encoding = ColorEncoding(format.color, bitDepth: format.bitDepth, profile: space)
    self.encoding = encoding
    let unit = Double(1 << (format.bitDepth - 8))
    func code(_ plane: Int, _ x: Int, _ y: Int) -> Double {
      let row = frame.planes[plane].row(y)
      return format.bytesPerSample == 1
        ? Double(row.load(fromByteOffset: x, as: UInt8.self))
        : Double(row.load(fromByteOffset: 2 * x, as: UInt16.self)) / unit
    }
    let (h, v) = (format.sampling.horizontalShift, format.sampling.verticalShift)
    let toSRGB = Primaries.bt709.toWorking.inverse ?? .identity
    let first = primaries.count
    for y in rows {
      for x in columns {
        let luma = (code(0, x, y) - encoding.black) / encoding.lumaRange
        var (b, r) = (0.0, 0.0)
        if format.sampling != .grey {
          b = (code(1, x >> h, y >> v) - 128) / encoding.chromaRange
          r = (code(2, x >> h, y >> v) - 128) / encoding.chromaRange
        }
        let color = encoding.linear(encoding.primaries(SIMD3(luma, b, r)))
        samples.append(color.clamped(lowerBound: SIMD3(), upperBound: SIMD3(repeating: encoding.peak)))
        primaries.append(toSRGB * samples[samples.count - 1])
      }
    }
    addEdges(primaries[first...], columns.count)
  }

  private mutating func addEdges(_ colors: ArraySlice<SIMD3<Double>>, _ columns: Int) {
    let usable = colors.map(CastEstimate.isUsable)
    for index in usable.indices where index % columns < columns - 1 && index + columns < usable.count {
      guard usable[index], usable[index + 1], usable[index + columns] else { continue }
      let here = colors[colors.startIndex + index]
      let right = colors[colors.startIndex + index + 1] - here
      let below = colors[colors.startIndex + index + columns] - here
      edges += right * right + below * below
    }
  }

  /// Returns the centres of equal parts of an axis.
  private static func places(_ count: Int, of longest: Int) -> [Int] {
    let parts = longest <= side ? count : max(1, count * side / longest)
    return (0..<parts).map { (2 * $0 + 1) * count / (2 * parts) }
  }
}
