import Basics
internal import CFFmpeg
import EditModel
import Rendering

/// Converts movies in any supported container to QuickTime or MP4 files that contain the best video track and the best
/// audio track.
package enum MovieConverter {
  /// Converts a movie to the container that a job specifies.
  ///
  /// H.264 and HEVC frames that phones can play are copied. Other frames are re-encoded as 10-bit HEVC if they have an
  /// HDR transfer function, and otherwise as 8-bit H.264. Audio is copied if the container supports it, and otherwise
  /// encoded as AAC. The rotation declared in the source file is kept in the new file.
  ///
  /// - Parameters:
  ///   - job: The files, the container and the part to convert.
  ///   - isCancelled: A function that is called before every packet. If the function returns true, the conversion
  ///     stops.
  /// - Returns: A description of how the frames were produced.
  /// - Throws: ``MediaError`` if the movie cannot be converted, an error if the movie cannot be opened, ``EditError``
  ///   if the new file cannot be written, or `CancellationError` if the conversion was cancelled. After an error, the
  ///   caller must handle the partly written file.
  package static func convert(_ job: MovieConversion, isCancelled: () -> Bool) throws -> ConversionResult {
    let reader = try MovieReader(path: job.source)
    // The reader's tracks are used until the last frame has been written.
    defer { withExtendedLifetime(reader) {} }
    var trim: Trim?
    if let range = job.range {
      let seconds = reader.duration
      guard range.lowerBound >= 0, range.lowerBound < range.upperBound,
        seconds <= 0 || range.lowerBound < seconds
      else { throw MediaError("the movie lasts \(seconds) s and does not contain the part to keep") }
      trim = try Trim(from: range.lowerBound, to: range.upperBound)
    }
    let muxer = try MovieMuxer(path: job.output, container: job.container.rawValue)
    let copiesFrames = job.range == nil && fits(reader.video)
    let frames: any TrackConverter =
      copiesFrames
      ? try TrackCopy(reader.video, of: reader, trim, to: muxer)
      : try VideoRecoding(reader.video, of: reader, trim, to: muxer)
    let sound = try sound(of: reader, trim, in: job.container, to: muxer)
    try carry(reader, frames, sound, to: muxer, isCancelled)
    var notes = notes(on: sound)
    if !copiesFrames { notes.append("The frames were re-encoded.") }
    return ConversionResult(method: copiesFrames ? .copied : .encoded, notes: notes)
  }

  /// Converts a movie to a format that every browser can play.
  ///
  /// Frames are encoded as upright 8-bit H.264 in BT.709. The times of the frames do not change. Audio that is not AAC
  /// is encoded as AAC.
  ///
  /// - Parameters:
  ///   - job: The files and the frame size.
  ///   - orientation: The orientation in which the stored frames are displayed.
  ///   - isCancelled: A function that is called before every packet. If the function returns true, the conversion
  ///     stops.
  /// - Returns: The new frame size.
  /// - Throws: The same errors as ``convert(_:isCancelled:)``.
  package static func convert(
    _ job: VideoConversion, orientation: Orientation, isCancelled: () -> Bool
  ) throws -> ConversionResult {
    let reader = try MovieReader(path: job.source)
    defer { withExtendedLifetime(reader) {} }
    let playable = try PlayableVideo(reader.video, orientation: orientation, job)
    let muxer = try MovieMuxer(path: job.output, container: "mp4")
    let frames = try VideoRecoding(reader.video, of: reader, nil, as: playable, to: muxer)
    let sound = try sound(of: reader, nil, in: .mp4, to: muxer)
    try carry(reader, frames, sound, to: muxer, isCancelled)
    return ConversionResult(
      method: .encoded, size: PixelSize(width: playable.format.width, height: playable.format.height),
      notes: playable.notes + notes(on: sound))
  }

  private static func sound(
    of reader: MovieReader, _ trim: Trim?, in container: MovieConversion.Container, to muxer: MovieMuxer
  ) throws -> (any TrackConverter)? {
    guard let track = reader.sound else { return nil }
    return fits(track, in: container)
      ? try TrackCopy(track, of: reader, trim, to: muxer)
      : try SoundRecoding(track, of: reader, trim, to: muxer)
  }

  private static func notes(on sound: (any TrackConverter)?) -> [Message] {
    sound is SoundRecoding ? ["The audio was encoded as AAC."] : []
  }

  /// Passes all packets to the track converters, and then finishes the file.
  private static func carry(
    _ reader: MovieReader, _ frames: any TrackConverter, _ sound: (any TrackConverter)?, to muxer: MovieMuxer,
    _ isCancelled: () -> Bool
  ) throws {
    if let date = av_dict_get(reader.context.pointee.metadata, "creation_time", nil, 0)?.pointee.value {
      muxer.set("creation_time", String(cString: date))
    }
    try muxer.begin(["movie_timescale": "600", "write_tmcd": "0"])
    let packet = try PacketHandle()
    while try reader.read(into: packet) {
      defer { av_packet_unref(packet.pointer) }
      if isCancelled() { throw CancellationError() }
      let index = packet.pointer.pointee.stream_index
      if index == reader.video.pointee.index {
        try frames.take(packet)
      } else if index == reader.sound?.pointee.index {
        try sound?.take(packet)
      }
    }
    try frames.finish()
    try sound?.finish()
    guard frames.count > 0 else { throw MediaError.damaged("the movie has no video frames") }
    try muxer.finish()
  }

  /// Returns whether phones can play the packets of a video track without changes. This requires a 4:2:0 profile and
  /// parameter sets that are stored outside the packets.
  private static func fits(_ stream: UnsafeMutablePointer<AVStream>) -> Bool {
    guard let parameters = stream.pointee.codecpar, let data = parameters.pointee.extradata else {
      return false
    }
    let size = Int(parameters.pointee.extradata_size)
    // A decoder configuration begins with version 1. Any other data is a byte stream, which the muxer itself splits.
    let isConfiguration = size > 0 && data[0] == 1
    switch parameters.pointee.codec_id {
    case AV_CODEC_ID_H264:
      let profiles = [66, 77, 88, 100, 66 | 1 << 9]
      return profiles.contains(Int(parameters.pointee.profile))
        && (!isConfiguration || (size > 6 && data[5] & 0x1F > 0))
    case AV_CODEC_ID_HEVC:
      return (1...3).contains(parameters.pointee.profile) && (!isConfiguration || (size > 22 && data[22] > 0))
    default: return false
    }
  }

  /// Returns whether a container supports the packets of an audio track without changes.
  private static func fits(
    _ stream: UnsafeMutablePointer<AVStream>, in container: MovieConversion.Container
  ) -> Bool {
    guard let parameters = stream.pointee.codecpar else { return false }
    switch parameters.pointee.codec_id {
    case AV_CODEC_ID_AAC: return parameters.pointee.extradata_size >= 2
    case AV_CODEC_ID_ALAC: return container == .mov
    case AV_CODEC_ID_PCM_S16LE, AV_CODEC_ID_PCM_S16BE, AV_CODEC_ID_PCM_S24LE, AV_CODEC_ID_PCM_S24BE:
      return container == .mov
    default: return false
    }
  }
}

/// A converter that transfers the packets of a track to the new movie.
protocol TrackConverter {
  /// The number of packets or frames received so far.
  var count: Int { get }
  /// Processes a packet of the track.
  func take(_ packet: PacketHandle) throws
  /// Completes the conversion at the end of the track.
  func finish() throws
}

/// A track converter that copies packets without re-encoding.
final class TrackCopy: TrackConverter {
  private(set) var count = 0
  private let source: UnsafeMutablePointer<AVStream>
  private let trim: Trim?
  private let target: UnsafeMutablePointer<AVStream>
  private let muxer: MovieMuxer
  private let start: Int64
  /// The end of the video track, or nil for audio, because each audio packet states its own duration.
  private let end: TrackEnd?

  init(
    _ source: UnsafeMutablePointer<AVStream>, of reader: MovieReader, _ trim: Trim?, to muxer: MovieMuxer
  ) throws {
    self.source = source
    self.trim = trim
    self.muxer = muxer
    start = reader.start(in: source)
    end = source == reader.video ? TrackEnd(of: source, in: reader, trim) : nil
    target = try muxer.addStream()
    guard avcodec_parameters_copy(target.pointee.codecpar, source.pointee.codecpar) >= 0 else {
      throw MediaError.noMemory
    }
    target.pointee.time_base = source.pointee.time_base
    target.pointee.avg_frame_rate = source.pointee.avg_frame_rate
    switch source.pointee.codecpar.pointee.codec_id {
    case AV_CODEC_ID_HEVC: target.pointee.codecpar.pointee.codec_tag = liveedit_tag_hvc1
    case AV_CODEC_ID_H264: target.pointee.codecpar.pointee.codec_tag = liveedit_tag_avc1
    default: target.pointee.codecpar.pointee.codec_tag = 0
    }
    try target.copyDisplayMatrix(of: source)
  }

  func take(_ packet: PacketHandle) throws {
    let fields = packet.pointer
    guard fields.pointee.flags & AV_PKT_FLAG_CORRUPT == 0, fields.pointee.pts != liveedit_nopts else {
      throw MediaError.damaged("a track is damaged near packet \(count + 1)")
    }
    let base = source.pointee.time_base
    var shift: Int64 = 0
    let time = try MediaTime.elapsed(fields.pointee.pts, since: start, base)
    if let trim {
      let length = Double(max(0, fields.pointee.duration)) * av_q2d(base)
      guard trim.keeps(soundAt: Double(time) * av_q2d(base), lasting: length) else { return }
      shift = try MediaTime.ticks(trim.seconds.lowerBound, scale: 1 / av_q2d(base))
    }
    if let end { fields.pointee.duration = end.duration(at: time, own: fields.pointee.duration) }
    fields.pointee.pts = time - shift
    if fields.pointee.dts != liveedit_nopts {
      fields.pointee.dts = try MediaTime.elapsed(fields.pointee.dts, since: start, base) - shift
    }
    count += 1
    try muxer.write(packet, to: target, base: base)
  }

  func finish() {}
}

/// A track converter that decodes and re-encodes audio.
final class SoundRecoding: TrackConverter {
  private(set) var count = 0
  private let encoder: SoundEncoder
  private let target: UnsafeMutablePointer<AVStream>
  private let muxer: MovieMuxer
  private let trim: Trim?
  private let start: Double

  init(
    _ source: UnsafeMutablePointer<AVStream>, of reader: MovieReader, _ trim: Trim?, to muxer: MovieMuxer
  ) throws {
    encoder = try SoundEncoder(source)
    self.muxer = muxer
    self.trim = trim
    start = Double(reader.start(in: source)) * av_q2d(source.pointee.time_base)
    target = try muxer.addStream()
    try encoder.describe(target.pointee.codecpar)
    target.pointee.time_base = AVRational(num: 1, den: encoder.rate)
  }

  func take(_ packet: PacketHandle) throws { try encode(packet) }

  func finish() throws { try encode(nil) }

  private func encode(_ packet: PacketHandle?) throws {
    let rate = Double(encoder.rate)
    let shift = trim?.seconds.lowerBound ?? 0
    try encoder.encode(packet, offset: start + shift) { made in
      let fields = made.pointer
      let (time, length) = (Double(fields.pointee.pts) / rate, Double(fields.pointee.duration) / rate)
      guard trim?.keeps(soundAt: time + shift, lasting: length) ?? true else { return }
      count += 1
      try muxer.write(made, to: target, base: AVRational(num: 1, den: encoder.rate))
    }
  }
}

extension UnsafeMutablePointer<AVStream> {
  /// Copies the display rotation from another track.
  func copyDisplayMatrix(of source: UnsafeMutablePointer<AVStream>) throws {
    var size = 0
    guard let matrix = av_stream_get_side_data(source, AV_PKT_DATA_DISPLAYMATRIX, &size), size > 0 else {
      return
    }
    guard let copy = av_stream_new_side_data(self, AV_PKT_DATA_DISPLAYMATRIX, size) else {
      throw MediaError.noMemory
    }
    copy.update(from: matrix, count: size)
  }
}
