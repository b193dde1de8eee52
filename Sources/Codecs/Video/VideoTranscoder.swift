import Basics
internal import CFFmpeg
import EditModel
import FileSystem
import Rendering

/// Decodes, rotates and encodes one video track in two concurrent stages, with few frames between them.
package final class VideoTranscoder {
  /// The codec of the new track: `avc1` for H.264, `hvc1` for HEVC.
  package let codec: RenderSettings.VideoCodec
  /// The payload of the new sample entry's `avcC` or `hvcC` box. The box contains all parameter sets; the packets
  /// contain none.
  package let configuration: [UInt8]
  /// The size, layout and colours of the new track's frames.
  package let format: FrameFormat
  /// The number of ticks per second for all times; the same as the media time scale of the source track.
  package let timeScale: Int
  /// The number of frames in the new track.
  package let frameCount: Int

  private let frames: PlannedFrames
  private let encoder: VideoEncoder
  private let preparation: Preparation
  private var first: VideoDecoder.Frame?

  /// Opens the movie, decodes its first frame and prepares the encoder.
  ///
  /// - Parameters:
  ///   - path: The path of the movie.
  ///   - trackID: The number of the video track, as in its `tkhd` box.
  ///   - orientation: The rotation or flip to apply to stored frames.
  ///   - settings: The codec, quality and speed.
  ///   - plan: The frames to show and their times; nil shows every frame at its own time.
  ///   - place: Rotates and crops the source frames of a plan before they are blended; if nil, the frames are only
  ///     rotated.
  ///   - change: Edits every rotated frame, in presentation order; receives the frame's time in ticks. See
  ///     ``FrameStage``. If nil, the frames are not edited.
  ///   - noise: Called after the first frame was edited; returns the variance of the noise that `change` removes from
  ///     luma, in 8-bit codes. The higher the variance, the higher the encoding quality.
  /// - Throws: ``MediaError``; an error if the file cannot be opened; any error that `change` throws.
  package init(
    path: String, trackID: Int, orientation: Orientation, settings: RenderSettings, plan: MotionPlan? = nil,
    place: FramePlacing? = nil,
    change: (@Sendable (PlanarFrame, Int64) throws -> PlanarFrame)? = nil, noise: () -> Double = { 0 }
  ) throws {
    let decoder = try VideoDecoder(path: path, trackID: trackID)
    frames = try PlannedFrames(decoder, plan, place: place)
    codec = try Self.outputCodec(decoder.codec, settings)
    guard let stored = try frames.next() else {
      throw MediaError.damaged("the movie has no video frames")
    }
    preparation = Preparation(
      orientation: place == nil ? orientation : nil, change: change, codec: decoder.isOfPhones ? nil : codec)
    let first = try preparation.prepare(stored)
    self.first = first
    let format = first.picture.format
    var aspect = first.pixelAspect
    if orientation.swapsAxes, aspect.num > 0 { aspect = AVRational(num: aspect.den, den: aspect.num) }
    encoder = try VideoEncoder(
      format: format, timeScale: decoder.timeScale, frameRate: decoder.frameRate, pixelAspect: aspect,
      codec: codec,
      parameters: VideoEncoderParameters(
        codec: codec, quality: settings.quality, speed: settings.speed, width: format.width, noise: noise()))
    configuration = encoder.configuration
    self.format = format
    timeScale = decoder.timeScale
    frameCount = plan?.frames.count ?? decoder.frameCount
  }

  /// Transcodes the track. This method can be called only once, and it blocks, so call it from a thread that may block.
  ///
  /// - Parameters:
  ///   - isCancelled: Called before every frame; the work stops if the result is true.
  ///   - onProgress: Receives the number of encoded frames.
  ///   - onPacket: Receives each packet in decode order. An error that it throws stops the work.
  /// - Throws: `CancellationError`, ``MediaError``, or any error that `onPacket` or the edit of a frame throws.
  package func run(
    isCancelled: () -> Bool = { false }, onProgress: (Int) -> Void = { _ in },
    onPacket: (EncodedPacket) throws -> Void
  ) throws {
    guard let first else { throw MediaError("the video was already transcoded") }
    self.first = nil
    let (source, preparation) = (frames, preparation)
    var packets = 0
    func deliver(_ packet: EncodedPacket) throws {
      packets += 1
      try onPacket(packet)
    }
    var frames = 0
    try FrameQueue.run(from: first) { queue in
      try source.next().map { try preparation.prepare($0, reusing: queue.recycled()) }
    } use: { frame in
      if isCancelled() { throw CancellationError() }
      try encoder.encode(frame.picture, time: frame.time, onPacket: deliver)
      frames += 1
      onProgress(frames)
    }
    try encoder.finish(onPacket: deliver)
    guard packets == frames else {
      throw MediaError("the video encoder produced \(packets) pictures for \(frames) frames")
    }
  }

  /// Decodes all frames without encoding them. This method can be called only once, in place of
  /// ``run(isCancelled:onProgress:onPacket:)``.
  ///
  /// - Parameter isCancelled: Called before every frame; the work stops if the result is true.
  /// - Throws: `CancellationError` or ``MediaError``.
  package func rehearse(isCancelled: () -> Bool) throws {
    while try frames.next() != nil {
      if isCancelled() { throw CancellationError() }
    }
  }

  /// The changes to a frame between the decoder and the encoder.
  private struct Preparation: Sendable {
    /// The rotation or flip to apply; nil for frames that have already been placed.
    let orientation: Orientation?
    let change: (@Sendable (PlanarFrame, Int64) throws -> PlanarFrame)?
    /// The codec of the new track, if frames are to be converted to a layout that phones can decode in that codec; nil
    /// keeps the source's layout.
    let codec: RenderSettings.VideoCodec?

    func prepare(
      _ frame: VideoDecoder.Frame, reusing reusable: PlanarFrame? = nil
    ) throws -> VideoDecoder.Frame {
      var frame = frame
      var picture = frame.picture
      // A frame that needs no changes is passed from the decoder to the encoder as it is. Nobody may write to it,
      // because the decoder predicts other frames from it.
      if let orientation, orientation != .identity || change != nil {
        picture = picture.turned(by: orientation, into: reusable)
      }
      if let change { picture = try change(picture, frame.time) }
      frame.picture =
        try codec.map { try Self.playable(picture, in: $0) }
        ?? picture.chromaResampled(to: PixelFormat.encodable(picture.format.sampling))
      return frame
    }

    /// Converts a picture to 4:2:0, if its size allows this, and to 8 bits per sample in H.264, or at most 10 bits in
    /// HEVC and for HDR.
    private static func playable(
      _ picture: PlanarFrame, in codec: RenderSettings.VideoCodec
    ) throws -> PlanarFrame {
      let format = picture.format
      let isHDR = [16, 18].contains(format.color.transfer)
      let depth = min(format.bitDepth, codec == .h264 && !isHDR ? 8 : 10)
      let isEven = format.width % 2 == 0 && format.height % 2 == 0
      let sampling =
        isEven && format.sampling != .grey ? .yuv420 : PixelFormat.encodable(format.sampling)
      if (sampling, depth) == (format.sampling, format.bitDepth) { return picture }
      guard
        let scaled = picture.scaled(
          to: format.size, sampling: sampling, location: format.color.chromaLocation ?? .left, bitDepth: depth
        )
      else {
        throw MediaError.unsupported(
          "the video's pixel format is not supported", remedy: "rotate the movie with --lossless")
      }
      return scaled
    }
  }

  private static func outputCodec(
    _ source: AVCodecID, _ settings: RenderSettings
  ) throws -> RenderSettings.VideoCodec {
    if let codec = settings.videoCodec { return codec }
    switch source {
    case AV_CODEC_ID_H264: return .h264
    case AV_CODEC_ID_HEVC: return .hevc
    default:
      throw MediaError.unsupported(
        "the video uses \(VideoDecoder.name(source)), which is not supported for re-encoding",
        remedy: "use --video-codec h264 or hevc")
    }
  }
}
