import Basics
internal import CFFmpeg
import Rendering

/// Reads movie frames, and pictures in formats that Live Photos do not use, so that they can be converted to photos.
package enum StillPictures {
  /// Calls a closure with each stored frame of a movie.
  ///
  /// - Parameters:
  ///   - path: The path of the movie.
  ///   - isCancelled: A function that is called before every packet. If the function returns true, the work stops.
  ///   - onFrame: A function that receives each frame and the frame's time in seconds, and returns whether to continue.
  package static func frames(
    of path: String, isCancelled: () -> Bool, onFrame: (PlanarFrame, Double) throws -> Bool
  ) throws {
    try decode(path, isCancelled) { frame, seconds in
      guard
        let picture = try frame.picture() ?? FrameConverter(to: AV_PIX_FMT_YUV420P).converted(frame).picture()
      else { throw MediaError.unsupported("the video's pixel format is not supported") }
      return try onFrame(picture, seconds)
    }
  }

  /// Decodes frames and calls `onFrame` with each frame and its time in seconds until `onFrame` returns false. For
  /// QuickTime and MP4 files, the times are on the movie's timeline.
  static func decode(
    _ path: String, _ isCancelled: () -> Bool, _ onFrame: (FrameHandle, Double) throws -> Bool
  ) throws {
    let reader = try MovieReader(path: path)
    let decoder = try GeneralVideoDecoder(reader.video, start: reader.start(in: reader.video))
    let tick = av_q2d(reader.video.pointee.time_base)
    let delay = reader.delay
    let packet = try PacketHandle()
    var goesOn = true
    func take(_ input: PacketHandle?) throws {
      try decoder.decode(input) { frame, time in
        if goesOn { goesOn = try onFrame(frame, delay + Double(time) * tick) }
      }
    }
    while try goesOn && reader.read(into: packet) {
      defer { av_packet_unref(packet.pointer) }
      if isCancelled() { throw CancellationError() }
      if packet.pointer.pointee.stream_index == reader.video.pointee.index { try take(packet) }
    }
    if goesOn { try take(nil) }
  }

  /// Returns the stored frame that is shown at the given time.
  ///
  /// - Parameters:
  ///   - seconds: The time on the movie's timeline.
  ///   - path: The path of the movie.
  /// - Returns: The frame and the time at which the frame begins.
  /// - Throws: ``MediaError`` if the movie does not show a frame at that time.
  package static func frame(
    at seconds: Double, of path: String, isCancelled: () -> Bool
  ) throws -> (picture: PlanarFrame, seconds: Double) {
    let found = try shown(at: seconds, of: path, isCancelled)
    if let picture = found.frame.picture() { return (picture, found.seconds) }
    // The converter changes the matrix, range and chroma location, but keeps the primaries.
    var color = PixelFormat.color(found.frame.pointer.pointee)
    color.matrix = ColorDescription.jpeg.matrix
    color.isFullRange = true
    color.chromaLocation = .center
    return (try planes(found.frame).described(as: color), found.seconds)
  }

  /// Returns the first stored frame of a movie.
  ///
  /// - Throws: ``MediaError`` if the movie has no frames.
  package static func firstFrame(of path: String, isCancelled: () -> Bool) throws -> PlanarFrame {
    let frame = try shown(at: 0, of: path, isCancelled).frame
    if let picture = frame.picture() { return picture }
    guard let picture = try FrameConverter(to: AV_PIX_FMT_YUVJ444P, isPhoto: true).converted(frame).picture()
    else { throw MediaError.unsupported("the video's pixel format is not supported") }
    return picture.described(as: .jpeg)
  }

  /// Returns the frame that is shown at the given time. If the movie does not specify a colour matrix, the matrix is
  /// guessed.
  private static func shown(
    at seconds: Double, of path: String, _ isCancelled: () -> Bool
  ) throws -> (frame: FrameHandle, seconds: Double) {
    var found: (frame: FrameHandle, seconds: Double)?
    try decode(path, isCancelled) { frame, time in
      // The tolerance allows for rounded times.
      if found != nil, time > seconds + 0.0005 { return false }
      found = (frame, time)
      return true
    }
    guard let found else { throw MediaError("the file contains no frames") }
    found.frame.guessMatrix()
    return found
  }

  /// Decodes a picture in a format that Live Photos do not use. Transparent parts are composited over white.
  ///
  /// - Parameters:
  ///   - path: The path of a PNG, TIFF or WebP file.
  ///   - container: libavformat's name for the file's format, for example `png_pipe`.
  ///   - isPremultiplied: Whether the colours are premultiplied by opacity.
  /// - Returns: The picture in the format that JPEGs use, and the ICC profile. The profile is nil if the file does not
  ///   contain a profile.
  package static func picture(
    _ path: String, container: String, isPremultiplied: Bool = false
  ) throws -> (frame: PlanarFrame, profile: [UInt8]?) {
    let unreadable = MediaError.damaged("the file cannot be read as a picture")
    let input = try MediaInput(path: path, format: container) { _ in
      unreadable
    }
    defer { withExtendedLifetime(input) {} }
    let context = input.context
    guard avformat_find_stream_info(context, nil) >= 0, context.pointee.nb_streams > 0,
      let stream = context.pointee.streams[0]
    else { throw unreadable }
    let size = (Int(stream.pointee.codecpar.pointee.width), Int(stream.pointee.codecpar.pointee.height))
    guard size.0 > 1, size.1 > 1 else { throw MediaError.damaged("the picture is damaged") }
    guard size.0 <= 65_535, size.1 <= 65_535, size.0 * size.1 <= LibAV.maximumSamples * 4 else {
      throw MediaError(
        "the picture of \(size.0)x\(size.1) exceeds the size limit for photos", isUnsupported: true)
    }
    let decoder = try GeneralVideoDecoder(
      stream, start: 0, mostSamples: LibAV.maximumSamples * 4, isStill: true)
    let packet = try PacketHandle()
    var found: FrameHandle?
    while found == nil, av_read_frame(context, packet.pointer) >= 0 {
      defer { av_packet_unref(packet.pointer) }
      try decoder.decode(packet) { frame, _ in found = found ?? frame }
    }
    if found == nil { try decoder.decode(nil) { frame, _ in found = found ?? frame } }
    guard let found else { throw MediaError.damaged("the picture is damaged") }
    // Grey pictures have full range, but not all decoders state the range.
    let components = av_pix_fmt_desc_get(AVPixelFormat(rawValue: found.pointer.pointee.format))?.pointee
      .nb_components
    if let components, components < 3, found.pointer.pointee.color_range == AVCOL_RANGE_UNSPECIFIED {
      found.pointer.pointee.color_range = AVCOL_RANGE_JPEG
    }
    var profile: [UInt8]?
    if let data = av_frame_get_side_data(found.pointer, AV_FRAME_DATA_ICC_PROFILE)?.pointee {
      profile = Array(UnsafeBufferPointer(start: data.data, count: Int(data.size)))
    }
    return (try planes(found.overWhite(isPremultiplied: isPremultiplied)), profile)
  }

  /// The JPEG quality for pictures that are converted to photos.
  private static let quality = 95

  /// Encodes a picture as a JPEG without metadata.
  package static func jpeg(_ picture: PlanarFrame) throws -> [UInt8] {
    try JPEGCodec.encode(picture, quality: quality)
  }

  private static func planes(_ frame: FrameHandle) throws -> PlanarFrame {
    let isRGB = PixelFormat.isRGB(AVPixelFormat(rawValue: frame.pointer.pointee.format))
    // Drawings and text keep full-resolution chroma. Camera frames have at most 4:2:0.
    let target = isRGB ? AV_PIX_FMT_YUVJ444P : AV_PIX_FMT_YUVJ420P
    let converted = try FrameConverter(to: target, isPhoto: true).converted(frame)
    guard let picture = converted.picture() else {
      throw MediaError.unsupported("the pixel format is not supported")
    }
    return picture
  }
}
