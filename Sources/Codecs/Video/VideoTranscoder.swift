import Basics
internal import CFFmpeg
import EditModel
import FileSystem
import Rendering

/// Decodes, turns and encodes one video track: two stages at the same time, with few frames between them.
package final class VideoTranscoder {
  /// The codec of the new track: `avc1` for H.264, `hvc1` for HEVC.
  package let codec: RenderSettings.VideoCodec
  /// The payload of the new sample entry's `avcC` or `hvcC` box. All parameter sets are in it, none in the
  /// packets.
  package let configuration: [UInt8]
  /// Size, layout and colours of the new track's frames.
  package let format: FrameFormat
  /// Ticks a second of all times: the source track's media time scale.
  package let timeScale: Int
  /// The number of frames that the new track will have.
  package let frameCount: Int

  private let frames: PlannedFrames
  private let encoder: VideoEncoder
  private let preparation: Preparation
  private var first: VideoDecoder.Frame?

  /// Opens the movie, decodes its first frame and prepares the encoder.
  ///
  /// - Parameters:
  ///   - path: the movie.
  ///   - trackID: its video track, by the number in `tkhd`.
  ///   - orientation: how stored pixels are transformed.
  ///   - settings: codec, quality and speed.
  ///   - plan: what is shown, and when; nil for every frame at its own time.
  ///   - place: turns and cuts the frames of the source along a plan, before they are blended; nil turns them.
  ///   - change: what is done to every turned frame, in the order of showing, given its time in ticks; see
  ///     ``FrameStage``. nil does nothing.
  ///   - noise: asked when the first frame was changed: the variance of the noise that `change` takes out of luma, in
  ///     8-bit codes. The frames are encoded the finer, the more it is.
  /// - Throws: ``MediaError``, what opening the file throws, or what `change` throws.
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

  /// Transcodes the track. Can be called once; blocks, so call it from a thread that may.
  ///
  /// - Parameters:
  ///   - isCancelled: asked before every frame; true stops the work.
  ///   - onProgress: told how many frames are encoded.
  ///   - onPacket: takes each packet, in decode order. What it throws stops the work.
  /// - Throws: `CancellationError`, ``MediaError``, or what `onPacket` or the change of a frame threw.
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

  /// Decodes all frames and encodes none. Can be called once, in place of ``run(isCancelled:onProgress:onPacket:)``.
  ///
  /// - Parameter isCancelled: asked before every frame; true stops the work.
  /// - Throws: `CancellationError`, or ``MediaError``.
  package func rehearse(isCancelled: () -> Bool) throws {
    while try frames.next() != nil {
      if isCancelled() { throw CancellationError() }
    }
  }

  /// The changes of a frame between decoder and encoder.
  private struct Preparation: Sendable {
    /// How the frame is turned; nil for one that was placed before.
    let orientation: Orientation?
    let change: (@Sendable (PlanarFrame, Int64) throws -> PlanarFrame)?
    /// The codec of a new track whose frames get the layout that phones decode in it; nil keeps the source's.
    let codec: RenderSettings.VideoCodec?

    func prepare(
      _ frame: VideoDecoder.Frame, reusing reusable: PlanarFrame? = nil
    ) throws -> VideoDecoder.Frame {
      var frame = frame
      var picture = frame.picture
      // The decoder's frame goes to the encoder as it is when nothing happens to it. It may be written by nobody:
      // the decoder predicts others from it.
      if let orientation, orientation != .identity || change != nil {
        picture = picture.turned(by: orientation, into: reusable)
      }
      if let change { picture = try change(picture, frame.time) }
      frame.picture =
        try codec.map { try Self.playable(picture, in: $0) }
        ?? picture.chromaResampled(to: PixelFormat.encodable(picture.format.sampling))
      return frame
    }

    /// A picture with half as much chroma in both directions, where its size lets it, and 8 bits a sample in H.264, 10 at most
    /// in HEVC and where it is HDR.
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
          "the video's pixel format is not supported", remedy: "rotate it with --lossless")
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
