import Basics
internal import CFFmpeg
import EditModel
import Rendering

/// Converts frames to a format that every player can show: upright, with square pixels, with 8 bits per sample, and in
/// BT.709.
package final class PlayableVideo {
  /// The size and colours of the converted frames.
  let format: FrameFormat
  /// The pixel format that frames must have before conversion.
  let pixelFormat: AVPixelFormat
  /// The encoding quality.
  let quality: RenderSettings.Quality
  /// Whether the converted frames are used to preview edits.
  let isForEdits: Bool
  /// The speed of the encoder.
  let speed: RenderSettings.Speed
  /// Additional notes to show to the user, one sentence each.
  let notes: [Message]
  private let orientation: Orientation
  /// The colour description of the source frames. The next property contains the table that converts the colours.
  private let color: ColorDescription
  private let table: ColorTable?

  /// - Parameters:
  ///   - stream: The track.
  ///   - orientation: The orientation in which the stored frames are displayed.
  ///   - job: The conversion job, which determines the new size.
  /// - Throws: ``MediaError`` if the frames of the track are too small.
  init(
    _ stream: UnsafeMutablePointer<AVStream>, orientation: Orientation, _ job: VideoConversion
  ) throws {
    self.orientation = orientation
    quality = job.quality
    isForEdits = job.isForEdits
    speed = job.speed
    guard let parameters = stream.pointee.codecpar else { throw MediaError.noMemory }
    let stored = AVPixelFormat(rawValue: parameters.pointee.format)
    let descriptor = av_pix_fmt_desc_get(stored)?.pointee
    let bitDepth = (descriptor?.comp.0.depth ?? 8) > 8 ? 10 : 8
    pixelFormat = bitDepth > 8 ? AV_PIX_FMT_YUV420P10LE : AV_PIX_FMT_YUV420P

    let color = try Self.color(of: stream, as: pixelFormat)
    self.color = color

    // The width and height are never enlarged.
    let aspect = av_q2d(parameters.pointee.sample_aspect_ratio)
    let known = 0.1...10 ~= aspect ? aspect : 1
    let width = Double(parameters.pointee.width) * min(known, 1)
    let height = Double(parameters.pointee.height) / max(known, 1)
    let size =
      orientation.swapsAxes ? job.size(width: height, height: width) : job.size(width: width, height: height)
    format = FrameFormat(width: size.width, height: size.height, sampling: .yuv420, color: .bt709)
    guard min(size.width, size.height) >= 16 else {
      throw MediaError.unsupported("frames of \(size.width)x\(size.height) are not supported in H.264")
    }
    let isHDR = [16, 18].contains(color.transfer)
    notes =
      isHDR ? ["The HDR movie was converted to SDR: highlights brighter than white were darkened."] : []
    let isSame =
      [1, 2].contains(color.primaries) && [1, 2, 6, 13].contains(color.transfer)
      && [1, 2].contains(color.matrix) && color.isFullRange != true
    table = isSame ? nil : try ColorTable(from: color, to: .bt709, bitDepth: bitDepth)
  }

  /// Returns the colour description of a movie's frames. For players, these frames are converted to BT.709.
  ///
  /// - Parameter path: The path of the movie.
  /// - Throws: ``MediaError`` if the file is not a movie or is damaged.
  package static func color(ofMovie path: String) throws -> ColorDescription {
    let reader = try MovieReader(path: path)
    defer { withExtendedLifetime(reader) {} }
    return try color(of: reader.video, as: AV_PIX_FMT_YUV420P)
  }

  private static func color(
    of stream: UnsafeMutablePointer<AVStream>, as pixelFormat: AVPixelFormat
  ) throws -> ColorDescription {
    guard let parameters = stream.pointee.codecpar else { throw MediaError.noMemory }
    let sample = try FrameHandle(
      width: parameters.pointee.width, height: parameters.pointee.height, format: pixelFormat)
    sample.color(like: parameters)
    sample.guessMatrix()
    var color = PixelFormat.color(sample.pointer.pointee)
    // This chroma location is the default in H.264 and HEVC.
    color.chromaLocation = color.chromaLocation ?? .left
    return color
  }

  /// Converts a frame to the format in which the frame is shown.
  ///
  /// - Parameter frame: A frame in ``pixelFormat``.
  func applied(to frame: PlanarFrame) throws -> PlanarFrame {
    var frame = frame.described(as: color)
    let upright = format.size
    let size =
      orientation.swapsAxes ? PixelSize(width: upright.height, height: upright.width) : upright
    let bitDepth = frame.format.bitDepth
    let location = ChromaLocation.left.turned(by: orientation.inverse)
    if size != frame.format.size || location != color.chromaLocation || frame.format.sampling != .yuv420 {
      guard
        let scaled = frame.scaled(to: size, sampling: .yuv420, location: location, bitDepth: bitDepth)
      else { throw MediaError("the frames cannot be scaled to \(size.width)x\(size.height)") }
      frame = scaled
    }
    if let table { frame = try table.apply(to: frame) }
    frame = frame.with8Bits()
    if orientation != .identity { frame = frame.turned(by: orientation) }
    return frame.described(as: .bt709)
  }
}
