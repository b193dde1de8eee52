import Basics
internal import CFFmpeg
import EditModel
import FileSystem
import Rendering

/// Decodes, rotates and encodes a video track in two concurrent stages, with a small number of frames between the
/// stages.
package final class VideoTranscoder {
  /// The codec of the new track: `avc1` for H.264, `hvc1` for HEVC.
  package let codec: RenderSettings.VideoCodec
  /// The content of the `avcC` or `hvcC` box in the new sample entry. The box contains all parameter sets. The packets
  /// do not contain any parameter sets.
  package let configuration: [UInt8]
  /// The size, layout and colours of the new track's frames.
  package let format: FrameFormat
  /// The time scale of all times, in ticks per second, which equals the media time scale of the source track.
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
  ///   - trackID: The ID of the video track, as stated in its `tkhd` box.
  ///   - orientation: The rotation or flip to apply to the stored frames.
  ///   - settings: The codec, quality and speed.
  ///   - plan: The frames to show and their times, or nil to show every frame at its own time.
  ///   - place: A function that rotates and crops the source frames of a plan before they are blended. If nil, the
  ///     frames are rotated but not cropped.
  ///   - change: A function that receives each rotated frame, in presentation order, and the frame's time in ticks, and
  ///     edits the frame. See ``FrameStage``. If nil, the frames are not edited.
  ///   - noise: A function that is called after the first frame has been edited. The function returns the variance of
  ///     the noise that `change` removes from luma, measured in 8-bit sample values. The higher the variance, the
  ///     higher the encoding quality.
  /// - Throws: ``MediaError`` if the track cannot be transcoded, an error if the file cannot be opened, or any error
  ///   that `change` throws.
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

  /// Transcodes the track. This method can be called only once, and blocks the calling thread.
  ///
  /// - Parameters:
  ///   - isCancelled: A function that is called before every frame. If the function returns true, the work stops.
  ///   - onProgress: A function that receives the number of encoded frames.
  ///   - onPacket: A function that receives each packet in decode order. If the function throws an error, the work
  ///     stops.
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

  /// Decodes all frames without encoding them. This method can be called only once, instead of
  /// ``run(isCancelled:onProgress:onPacket:)``.
  ///
  /// - Parameter isCancelled: A function that is called before every frame. If the function returns true, the work
  ///   stops.
  /// - Throws: `CancellationError` or ``MediaError``.
  package func rehearse(isCancelled: () -> Bool) throws {
    while try frames.next() != nil {
      if isCancelled() { throw CancellationError() }
    }
  }

  /// The changes to a frame between decoding and encoding.
  private struct Preparation: Sendable {
    /// The rotation or flip to apply, or nil for frames that have already been placed.
    let orientation: Orientation?
    let change: (@Sendable (PlanarFrame, Int64) throws -> PlanarFrame)?
    /// The codec of the new track if frames are converted to a layout that phones can decode, or nil to keep the
    /// source's layout.
    let codec: RenderSettings.VideoCodec?

    func prepare(
      _ frame: VideoDecoder.Frame, reusing reusable: PlanarFrame? = nil
    ) throws -> VideoDecoder.Frame {
      var frame = frame
      var picture = frame.picture
      // A frame that needs no changes is passed directly from the decoder to the encoder. The frame must not be written
      // to, because the decoder predicts other frames from it.
      if let orientation, orientation != .identity || change != nil {
        picture = picture.turned(by: orientation, into: reusable)
      }
      if let change { picture = try change(picture, frame.time) }
      frame.picture =
        try codec.map { try Self.playable(picture, in: $0) }
        ?? picture.chromaResampled(to: PixelFormat.encodable(picture.format.sampling))
      return frame
    }

    /// Converts a picture to a layout that phones can play. The chroma subsampling becomes 4:2:0 if the picture's size
    /// allows it. The bit depth becomes 8 in H.264, and at most 10 in HEVC and for HDR.
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
