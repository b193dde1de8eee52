import Basics
import EditModel
import Rendering

/// Converts between a PNG's pixels and the frames used for editing, which are full-range Y′CbCr with the BT.601 matrix.
/// With 10 bits per sample, the conversion in both directions preserves 8-bit colours exactly.
extension PNGPicture {
  /// The number of bits per sample used for editing.
  package static let editedDepth = 10

  /// Converts the picture to frames.
  ///
  /// - Parameters:
  ///   - palette: The content of the PLTE chunk, or an empty array if the chunk is missing.
  ///   - transparency: The content of the tRNS chunk, or an empty array if the chunk is missing.
  ///   - bitDepth: The number of bits per sample in the frames: 8 or 10.
  ///   - primaries: The primaries and the transfer function of the samples as ITU-T H.273 codes. Both codes are 2 if
  ///     unspecified.
  /// - Returns: The picture, which is grey if the PNG is grey, and the opacity of each pixel, encoded in the same way
  ///   as luma. The opacity is nil if all pixels are opaque.
  /// - Throws: ``MediaError`` if a pixel refers to a colour that is missing from the palette.
  package func frames(
    palette: [UInt8], transparency: [UInt8], bitDepth: Int = editedDepth,
    _ primaries: (primaries: Int, transfer: Int) = (2, 2)
  ) throws -> (picture: PlanarFrame, alpha: PlanarFrame?) {
    let isGrey = layout.colors.isGrey
    var color = ColorDescription.jpeg
    (color.primaries, color.transfer) = primaries
    let format = FrameFormat(
      width: layout.width, height: layout.height, sampling: isGrey ? .grey : .yuv444, bitDepth: bitDepth,
      color: color)
    guard let picture = PlanarFrame(format: format) else { throw MediaError.tooLarge }
    let alphaFormat = FrameFormat(
      width: layout.width, height: layout.height, sampling: .grey, bitDepth: bitDepth, color: .jpeg)
    let hasAlpha = layout.colors.hasAlpha || !transparency.isEmpty
    let alpha = hasAlpha ? PlanarFrame(valid: alphaFormat) : nil
    let isWide = layout.bitDepth == 16
    let unit = 1 / Float((1 << layout.bitDepth) - 1)
    let channels = layout.colors.channels
    let colors = layout.colors == .palette ? palette.count / 3 : 0
    // The single colour that means “transparent” (section 11.3.2.1), as 16-bit numbers.
    let keyed = transparency.count >= 2 * channels && !layout.colors.hasAlpha && layout.colors != .palette
    let key =
      keyed
      ? (0..<channels).map { (index: Int) -> Int in
        Int(transparency[2 * index]) << 8 | Int(transparency[2 * index + 1])
      } : []
    var isSound = true
    pixels.withUnsafeBufferPointer { pixels in
      var samples = [Int](repeating: 0, count: 4)
      for y in 0..<layout.height {
        let rows = picture.planes.map { SampleRow($0.base + y * $0.stride, bitDepth) }
        let opacity = (alpha?.planes[0]).map { SampleRow($0.base + y * $0.stride, bitDepth) }
        var at = y * layout.width * layout.bytesPerPixel
        for x in 0..<layout.width {
          for channel in 0..<channels {
            if isWide {
              samples[channel] = Int(pixels[at]) << 8 | Int(pixels[at &+ 1])
              at &+= 2
            } else {
              samples[channel] = Int(pixels[at])
              at &+= 1
            }
          }
          if layout.colors == .palette {
            let index = samples[0]
            guard index < colors else {
              isSound = false
              return
            }
            Self.put(
              Float(palette[3 * index]) / 255, Float(palette[3 * index + 1]) / 255,
              Float(palette[3 * index + 2]) / 255, rows, x)
            if let opacity {
              opacity.set(x, index < transparency.count ? Float(transparency[index]) / 255 : 1)
            }
          } else if isGrey {
            rows[0].set(x, Float(samples[0]) * unit)
          } else {
            Self.put(
              Float(samples[0]) * unit, Float(samples[1]) * unit, Float(samples[2]) * unit, rows, x)
          }
          guard let opacity, layout.colors != .palette else { continue }
          if layout.colors.hasAlpha {
            opacity.set(x, Float(samples[channels - 1]) * unit)
          } else {
            opacity.set(x, keyed && key.indices.allSatisfy { key[$0] == samples[$0] } ? 0 : 1)
          }
        }
      }
    }
    guard isSound else { throw MediaError.damaged("the picture uses colours that are not in its palette") }
    return (picture, alpha)
  }

  /// A row of samples in a frame.
  private struct SampleRow {
    private let base: UnsafeMutableRawPointer
    private let isWide: Bool
    private let top: Float
    private let middle: Float

    init(_ base: UnsafeMutableRawPointer, _ bitDepth: Int) {
      (self.base, isWide) = (base, bitDepth > 8)
      (top, middle) = (Float((1 << bitDepth) - 1), Float(1 << (bitDepth - 1)))
    }

    /// Sets a luma or opacity sample to a value from 0 to 1.
    @inline(__always)
    func set(_ x: Int, _ value: Float) { store(x, value * top) }

    /// Sets a chroma sample to a value from -0.5 to 0.5.
    @inline(__always)
    func setChroma(_ x: Int, _ value: Float) { store(x, value * top + middle) }

    @inline(__always)
    private func store(_ x: Int, _ code: Float) {
      let code = min(max(code.rounded(), 0), top)
      if isWide {
        base.storeBytes(of: UInt16(code), toByteOffset: 2 &* x, as: UInt16.self)
      } else {
        base.storeBytes(of: UInt8(code), toByteOffset: x, as: UInt8.self)
      }
    }
  }

  @inline(__always)
  private static func put(_ red: Float, _ green: Float, _ blue: Float, _ rows: [SampleRow], _ x: Int) {
    let luma = 0.299 * red + 0.587 * green + 0.114 * blue
    rows[0].set(x, luma)
    rows[1].setChroma(x, (blue - luma) / 1.772)
    rows[2].setChroma(x, (red - luma) / 1.402)
  }

  /// Creates the pixels of a PNG from frames.
  ///
  /// - Parameters:
  ///   - picture: A full-range frame with 10 bits per sample and the BT.601 matrix, either grey or with full-resolution
  ///     chroma (4:4:4).
  ///   - alpha: The opacity of each pixel, as a frame of the same size, or nil if all pixels are opaque.
  ///   - bitDepth: The number of bits per sample: 8 or 16.
  /// - Throws: ``MediaError`` if a frame has a different layout.
  package init(_ picture: PlanarFrame, alpha: PlanarFrame?, bitDepth: Int) throws {
    let format = picture.format
    let isGrey = format.sampling == .grey
    guard format.bitDepth == Self.editedDepth, isGrey || format.sampling == .yuv444,
      alpha == nil || alpha?.format.size == format.size && alpha?.format.bitDepth == Self.editedDepth
    else { throw MediaError("the edited picture has a layout that PNG does not support") }
    let colors: PNGLayout.Colors =
      isGrey ? (alpha == nil ? .grey : .greyAlpha) : alpha == nil ? .truecolor : .truecolorAlpha
    let layout = PNGLayout(width: format.width, height: format.height, bitDepth: bitDepth, colors: colors)
    let size = layout.width * layout.height * layout.bytesPerPixel
    let greatest = Float((1 << bitDepth) - 1)
    let (top, middle) = (Float((1 << Self.editedDepth) - 1), Float(1 << (Self.editedDepth - 1)))
    let pixels = [UInt8](unsafeUninitializedCapacity: size) { target, count in
      var at = 0
      func put(_ value: Float) {
        let code = Int(min(max((value * greatest).rounded(), 0), greatest))
        if bitDepth == 16 {
          target[at] = UInt8(truncatingIfNeeded: code >> 8)
          at &+= 1
        }
        target[at] = UInt8(truncatingIfNeeded: code)
        at &+= 1
      }
      for y in 0..<layout.height {
        let rows = picture.planes.map { ($0.base + y * $0.stride).assumingMemoryBound(to: UInt16.self) }
        let opacity = (alpha?.planes[0]).map {
          ($0.base + y * $0.stride).assumingMemoryBound(to: UInt16.self)
        }
        for x in 0..<layout.width {
          let luma = Float(rows[0][x]) / top
          if isGrey {
            put(luma)
          } else {
            let red = luma + 1.402 * (Float(rows[2][x]) - middle) / top
            let blue = luma + 1.772 * (Float(rows[1][x]) - middle) / top
            put(red)
            put((luma - 0.299 * red - 0.114 * blue) / 0.587)
            put(blue)
          }
          if let opacity { put(Float(opacity[x]) / top) }
        }
      }
      count = size
    }
    self.init(layout: layout, pixels: pixels)
  }
}

extension PlanarFrame {
  /// Composites the transparent parts of the picture over white.
  ///
  /// - Parameter alpha: The opacity of each pixel, as a frame with the same size and bit depth as the picture.
  package func laidOverWhite(_ alpha: PlanarFrame) {
    guard alpha.format.size == format.size, alpha.format.bitDepth == format.bitDepth else { return }
    let top = UInt32((1 << format.bitDepth) - 1)
    let opacity = alpha.samples(ofPlane: 0)
    for index in planes.indices where index == 0 || format.sampling == .yuv444 {
      let white = index == 0 ? top : (top + 1) / 2
      let mixed = zip(samples(ofPlane: index), opacity).map { (sample, share) -> UInt16 in
        let share = UInt32(share)
        let sum: UInt32 = UInt32(sample) * share + white * (top - share)
        return UInt16((sum + top / 2) / top)
      }
      _ = setSamples(mixed, ofPlane: index)
    }
  }
}
