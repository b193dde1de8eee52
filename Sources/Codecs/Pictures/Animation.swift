import Basics
internal import CFFmpeg
import EditModel

/// Creates small animated pictures from movies.
package enum Animation {
  /// The maximum width or height of an animation in pixels.
  private static let side = 480.0
  /// The minimum number of seconds between frames, which is slightly less than 1/15 s.
  private static let interval = 0.066
  /// The maximum number of frames in an animation. For a long movie, the interval between frames is increased.
  private static let mostFrames = 900

  /// Writes an animation that repeats forever.
  ///
  /// - Parameters:
  ///   - path: The path of the movie.
  ///   - orientation: The orientation in which the stored frames are displayed.
  ///   - output: The file to write.
  ///   - kind: The format: GIF or WebP.
  ///   - isCancelled: A function that is called before every packet. If the function returns true, the work stops.
  package static func write(
    of path: String, orientation: Orientation, to output: String, kind: AnimationKind, isCancelled: () -> Bool
  ) throws {
    var palette: ColorPalette?
    if kind == .gif {
      var histogram = ColorHistogram()
      try frames(of: path, orientation, isCancelled) { picture, _ in histogram.add(picture.pixels) }
      palette = histogram.palette()
    }
    let writer = try AnimationWriter(output, kind)
    try frames(of: path, orientation, isCancelled) { try writer.add($0, palette: palette, at: $1) }
    try writer.finish()
  }

  /// A small picture, stored as rows of pixels in the format 0xAARRGGBB.
  struct Picture {
    var width: Int
    var height: Int
    var pixels: [UInt32]

    /// Returns the rotated or flipped picture.
    func turned(by orientation: Orientation) -> Picture {
      guard orientation != .identity else { return self }
      let m = orientation.matrix
      let (newWidth, newHeight) = orientation.swapsAxes ? (height, width) : (width, height)
      var turned = Picture(width: newWidth, height: newHeight, pixels: pixels)
      let (left, top) = (m.a < 0 || m.c < 0 ? newWidth - 1 : 0, m.b < 0 || m.d < 0 ? newHeight - 1 : 0)
      for y in 0..<height {
        for x in 0..<width {
          turned.pixels[(m.b * x + m.d * y + top) * newWidth + m.a * x + m.c * y + left] =
            pixels[y * width + x]
        }
      }
      return turned
    }
  }

  private static func frames(
    of path: String, _ orientation: Orientation, _ isCancelled: () -> Bool,
    _ onFrame: (Picture, Double) throws -> Void
  ) throws {
    let converter = FrameConverter(to: AV_PIX_FMT_BGRA, isPhoto: true)
    // The tolerance of one microsecond allows for rounded times.
    let interval = max(interval, try MovieReader(path: path).duration / Double(mostFrames) - 1e-6)
    var last: Double?
    // The first frame of an animation is shown at time 0.
    var first: Double?
    var count = 0
    try StillPictures.decode(path, isCancelled) { frame, seconds in
      if let last, seconds - last < interval { return true }
      last = seconds
      let start = first ?? seconds
      first = start
      count += 1
      guard count <= mostFrames else { return false }
      let (width, height) = (Double(frame.pointer.pointee.width), Double(frame.pointer.pointee.height))
      let scale = min(1, side / max(width, height))
      let size = (width: max(2, Int(width * scale) & ~1), height: max(2, Int(height * scale) & ~1))
      let small = try converter.converted(frame, to: size)
      try onFrame(try picture(small, size.width, size.height).turned(by: orientation), seconds - start)
      return true
    }
    guard count > 0 else { throw MediaError("the movie has no frames") }
  }

  private static func picture(_ frame: FrameHandle, _ width: Int, _ height: Int) throws -> Picture {
    let stride = Int(frame.pointer.pointee.linesize.0)
    guard let base = frame.pointer.pointee.data.0, stride >= width * 4 else { throw MediaError.noMemory }
    var pixels: [UInt32] = []
    pixels.reserveCapacity(width * height)
    for y in 0..<height {
      let row = UnsafeRawPointer(base + y * stride)
      for x in 0..<width { pixels.append(row.loadUnaligned(fromByteOffset: 4 * x, as: UInt32.self)) }
    }
    return Picture(width: width, height: height, pixels: pixels)
  }
}

/// Encodes and writes an animation.
private final class AnimationWriter {
  private let kind: AnimationKind
  private let muxer: MovieMuxer
  private let packet: PacketHandle
  private var encoder: CodecHandle?
  private var stream: UnsafeMutablePointer<AVStream>?
  private var lastTime: Int64 = -1

  /// The number of ticks per second. GIF uses hundredths of a second, and WebP uses thousandths.
  private var scale: Int32 { kind == .gif ? 100 : 1000 }

  init(_ path: String, _ kind: AnimationKind) throws {
    self.kind = kind
    muxer = try MovieMuxer(path: path, container: kind.rawValue)
    packet = try PacketHandle()
  }

  /// Adds a picture that is shown from the given time on.
  func add(_ picture: Animation.Picture, palette: ColorPalette?, at seconds: Double) throws {
    if encoder == nil { try open(picture) }
    guard let encoder else { return }
    let frame = try FrameHandle(
      width: Int32(picture.width), height: Int32(picture.height),
      format: kind == .gif ? AV_PIX_FMT_PAL8 : AV_PIX_FMT_BGRA)
    guard let base = frame.bases[0] else { throw MediaError.noMemory }
    let stride = Int(frame.strides[0])
    if let palette {
      guard stride >= picture.width, let colors = frame.bases[1] else { throw MediaError.noMemory }
      let indices = palette.dithered(picture)
      for y in 0..<picture.height {
        for x in 0..<picture.width { base[y * stride + x] = indices[y * picture.width + x] }
      }
      for index in 0..<256 {
        let color = palette.colors.indices.contains(index) ? palette.colors[index] : 0
        UnsafeMutableRawPointer(colors).storeBytes(of: color, toByteOffset: 4 * index, as: UInt32.self)
      }
    } else {
      guard stride >= picture.width * 4 else { throw MediaError.noMemory }
      for y in 0..<picture.height {
        for x in 0..<picture.width {
          UnsafeMutableRawPointer(base).storeBytes(
            of: picture.pixels[y * picture.width + x], toByteOffset: y * stride + 4 * x, as: UInt32.self)
        }
      }
    }
    let time = max(lastTime + 1, try MediaTime.ticks(seconds, scale: Double(scale)))
    lastTime = time
    frame.pointer.pointee.pts = time
    guard avcodec_send_frame(encoder.pointer, frame.pointer) >= 0 else { throw failed }
    try drain()
  }

  func finish() throws {
    guard let encoder, avcodec_send_frame(encoder.pointer, nil) >= 0 else { throw failed }
    try drain()
    try muxer.finish()
  }

  private var failed: MediaError { MediaError("the animation could not be encoded") }

  private func open(_ picture: Animation.Picture) throws {
    let name = kind == .gif ? "gif" : "libwebp_anim"
    guard let codec = avcodec_find_encoder_by_name(name) else {
      throw MediaError.missing(name)
    }
    let encoder = try CodecHandle(codec)
    let fields = encoder.pointer
    fields.pointee.width = Int32(picture.width)
    fields.pointee.height = Int32(picture.height)
    fields.pointee.pix_fmt = kind == .gif ? AV_PIX_FMT_PAL8 : AV_PIX_FMT_BGRA
    fields.pointee.time_base = AVRational(num: 1, den: scale)
    fields.pointee.thread_count = 1
    guard avcodec_open2(fields, codec, nil) >= 0 else { throw failed }
    let stream = try muxer.addStream()
    guard avcodec_parameters_from_context(stream.pointee.codecpar, fields) >= 0 else {
      throw MediaError.noMemory
    }
    stream.pointee.time_base = fields.pointee.time_base
    try muxer.begin(["loop": "0"])
    (self.encoder, self.stream) = (encoder, stream)
  }

  private func drain() throws {
    guard let encoder, let stream else { return }
    try encoder.receive(into: packet, failure: { _ in failed }) { packet in
      try muxer.write(packet, to: stream, base: AVRational(num: 1, den: scale))
    }
  }
}
