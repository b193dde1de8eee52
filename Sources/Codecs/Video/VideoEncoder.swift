import Basics
internal import CFFmpeg
import EditModel
import FileSystem
import Rendering

/// A coded picture of the new video track.
package struct EncodedPacket: Sendable {
  /// The NAL units of the picture. Each unit is preceded by its length in four bytes, with the most significant byte
  /// first.
  package let data: [UInt8]
  /// The presentation time in ticks of the source track's media, which equals the time of the source frame.
  package let presentationTime: Int64
  /// The decode time, which increases with every packet and is never after the presentation time. The decode time may
  /// be negative.
  package let decodeTime: Int64
  /// Whether decoding can begin with this packet because the picture is an IDR picture.
  package let isSync: Bool
}

/// Encodes frames with x264 or x265 through libavcodec.
///
/// The result depends only on the frames, the times of the frames and the parameters, but not on the machine.
final class VideoEncoder {
  private let context: CodecHandle
  private let packet: PacketHandle
  private let frame: FrameHandle
  private let format: FrameFormat
  private let codec: RenderSettings.VideoCodec
  private let forcesKeyFrames: Bool
  private static let longInterval: Int32 = 250

  /// The content of the `avcC` or `hvcC` box.
  let configuration: [UInt8]

  /// - Parameters:
  ///   - format: The format of all frames. The chroma subsampling must be a value that `PixelFormat.encodable` returns.
  ///   - timeScale: The time scale of the frame times, in ticks per second.
  ///   - frameRate: The average number of frames per second. This value determines the keyframe interval, which is at
  ///     most one second.
  ///   - pixelAspect: The ratio of a pixel's width to its height, or 0:1 if the ratio is unknown.
  ///   - codec: The codec of the new track.
  ///   - parameters: The encoder's settings.
  init(
    format: FrameFormat, timeScale: Int, frameRate: Double, pixelAspect: AVRational,
    codec: RenderSettings.VideoCodec, parameters: VideoEncoderParameters
  ) throws {
    _ = LibAV.setUp
    self.format = format
    self.codec = codec
    let codecName = codec == .h264 ? "H.264" : "HEVC"
    guard let pixelFormat = PixelFormat.encoderFormat(format.sampling, bitDepth: format.bitDepth) else {
      throw MediaError.unsupported("\(codecName) with \(format.bitDepth) bits per sample is not supported")
    }
    let columns = 1 << format.sampling.horizontalShift
    let rows = 1 << format.sampling.verticalShift
    guard format.width % columns == 0, format.height % rows == 0 else {
      throw MediaError.unsupported(
        "the frames are \(format.width)x\(format.height), but \(codecName) needs an even width and height",
        remedy: "rotate the movie with --lossless")
    }
    guard format.width >= 16, format.height >= 16, format.width * format.height <= LibAV.maximumSamples,
      max(format.width, format.height) <= LibAV.longestSide
    else {
      throw MediaError.unsupported(
        "frames of \(format.width)x\(format.height) are not supported in \(codecName)",
        remedy: "rotate the movie with --lossless")
    }
    guard let encoder = avcodec_find_encoder_by_name(parameters.name), let scale = Int32(exactly: timeScale)
    else {
      throw MediaError.missing(parameters.name)
    }
    context = try CodecHandle(encoder)
    packet = try PacketHandle()
    frame = try FrameHandle()
    let fields = context.pointer
    fields.pointee.width = Int32(format.width)
    fields.pointee.height = Int32(format.height)
    fields.pointee.pix_fmt = pixelFormat
    fields.pointee.time_base = AVRational(num: 1, den: scale)
    let wholeRate = Int32(frameRate.rounded())
    fields.pointee.framerate = AVRational(num: wholeRate, den: 1)
    fields.pointee.sample_aspect_ratio = pixelAspect
    fields.pointee.gop_size = parameters.forcesKeyFrames ? Self.longInterval : wholeRate
    fields.pointee.thread_count = Int32(parameters.threads)
    fields.pointee.flags |= AV_CODEC_FLAG_GLOBAL_HEADER
    fields.pointee.color_primaries = AVColorPrimaries(UInt32(clamping: format.color.primaries))
    fields.pointee.color_trc = AVColorTransferCharacteristic(UInt32(clamping: format.color.transfer))
    fields.pointee.colorspace = AVColorSpace(UInt32(clamping: format.color.matrix))
    fields.pointee.color_range =
      format.color.isFullRange.map { $0 ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG } ?? AVCOL_RANGE_UNSPECIFIED
    fields.pointee.chroma_sample_location =
      format.color.chromaLocation.map { AVChromaLocation(UInt32($0.rawValue + 1)) }
      ?? AVCHROMA_LOC_UNSPECIFIED
    forcesKeyFrames = parameters.forcesKeyFrames
    try LibAV.withOptions([
      "preset": parameters.preset, parameters.rateOption: "\(parameters.rate)",
      parameters.parametersOption: parameters.parameters, "forced-idr": forcesKeyFrames ? "1" : "0",
    ]) { options in
      let status = avcodec_open2(fields, encoder, &options)
      guard status >= 0 else {
        throw MediaError(
          "the \(codecName) encoder cannot be started (\(LibAV.message(status)))",
          remedy: ChildProcess.memoryLimit.map { "raise the memory limit of \($0 >> 20) MB (ulimit -v)" },
          isUnsupported: true)
      }
    }
    configuration = try SampleEntryConfiguration.make(for: context, codec: codec)
  }

  /// Encodes a frame. After this method returns, the frame's memory may be reused, because the encoder has copied the
  /// frame.
  ///
  /// - Parameters:
  ///   - picture: A picture in the format of this encoder.
  ///   - time: The presentation time in ticks, which must be later than the times of all earlier frames.
  ///   - onPacket: A function that receives each finished packet, in decode order.
  func encode(_ picture: PlanarFrame, time: Int64, onPacket: (EncodedPacket) throws -> Void) throws {
    guard picture.format == format else {
      throw MediaError("the video changes size or colours partway through")
    }
    let fields = frame.pointer
    av_frame_unref(fields)
    fields.pointee.width = Int32(format.width)
    fields.pointee.height = Int32(format.height)
    fields.pointee.format = context.pointer.pointee.pix_fmt.rawValue
    fields.pointee.pts = time
    if forcesKeyFrames { fields.pointee.pict_type = AV_PICTURE_TYPE_I }
    fields.pointee.color_range = context.pointer.pointee.color_range
    var data: [UnsafeMutablePointer<UInt8>?] = [nil, nil, nil]
    var strides: [Int32] = [0, 0, 0]
    for (index, plane) in picture.planes.enumerated() {
      data[index] = plane.base.assumingMemoryBound(to: UInt8.self)
      strides[index] = Int32(plane.stride)
    }
    (fields.pointee.data.0, fields.pointee.data.1, fields.pointee.data.2) = (data[0], data[1], data[2])
    (fields.pointee.linesize.0, fields.pointee.linesize.1, fields.pointee.linesize.2) =
      (strides[0], strides[1], strides[2])
    // A buffer reference keeps the picture alive, so libavcodec does not have to copy the picture.
    let keeper = Unmanaged.passRetained(picture)
    let base = picture.planes[0].base.assumingMemoryBound(to: UInt8.self)
    let size = picture.planes[0].stride * picture.planes[0].height
    guard
      let reference = av_buffer_create(
        base, size,
        { opaque, _ in
          if let opaque { Unmanaged<PlanarFrame>.fromOpaque(opaque).release() }
        }, keeper.toOpaque(), 0)
    else {
      keeper.release()
      throw MediaError.noMemory
    }
    fields.pointee.buf.0 = reference
    let status = avcodec_send_frame(context.pointer, fields)
    av_frame_unref(fields)
    guard status >= 0 else { throw encoderError(status) }
    try drain(onPacket)
  }

  /// Finishes the track, and passes on the packets that are still in the encoder.
  func finish(onPacket: (EncodedPacket) throws -> Void) throws {
    let status = avcodec_send_frame(context.pointer, nil)
    guard status >= 0 else { throw encoderError(status) }
    try drain(onPacket)
  }

  private func encoderError(_ status: Int32) -> MediaError {
    MediaError("the video encoder failed (\(LibAV.message(status)))")
  }

  private func drain(_ onPacket: (EncodedPacket) throws -> Void) throws {
    try context.receive(into: packet, failure: encoderError) { packet in
      let fields = packet.pointer.pointee
      let stream = UnsafeBufferPointer(start: fields.data, count: Int(fields.size))
      try onPacket(
        EncodedPacket(
          data: NALUnits.lengthPrefixed(stream, codec: codec), presentationTime: fields.pts,
          decodeTime: fields.dts, isSync: fields.flags & AV_PKT_FLAG_KEY != 0))
    }
  }
}
