import Basics
internal import CFFmpeg
import EditModel
import Rendering

/// Puts a movie of any kind into a QuickTime or MP4 file: the best video track and the best sound track.
package enum MovieConverter {
  /// Does a job.
  ///
  /// Frames in H.264 and HEVC of kinds that phones play are copied, others encoded anew: as H.264 with 8 bits a sample,
  /// or as HEVC with 10 bits where their transfer function is one of HDR. Sound that fits is copied, other sound becomes
  /// AAC. The turn that the file says stays in the file.
  ///
  /// - Parameters:
  ///   - job: the files, the container and the part.
  ///   - isCancelled: asked before every packet; true stops the work.
  /// - Returns: how the frames were made.
  /// - Throws: ``MediaError``; what opening the file throws; ``EditError`` about the new file; `CancellationError`. What
  ///   was written so far is left to the caller.
  package static func convert(_ job: MovieConversion, isCancelled: () -> Bool) throws -> ConversionResult {
    let reader = try MovieReader(path: job.source)
    // Its tracks are asked until the last frame is written.
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

  /// Makes a movie that every browser plays.
  ///
  /// Frames become H.264 with 8 bits a sample in BT.709, upright, and keep their times; sound that is no AAC becomes AAC.
  ///
  /// - Parameters:
  ///   - job: the files and the size.
  ///   - orientation: how stored frames are turned for display.
  ///   - isCancelled: asked before every packet; true stops the work.
  /// - Returns: the new size.
  /// - Throws: as ``convert(_:isCancelled:)`` does.
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

  /// Carries all packets over and finishes the file.
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

  /// True if players of phones take a video track's packets as they are: profiles of 4:2:0 with parameter sets beside
  /// the packets.
  private static func fits(_ stream: UnsafeMutablePointer<AVStream>) -> Bool {
    guard let parameters = stream.pointee.codecpar, let data = parameters.pointee.extradata else {
      return false
    }
    let size = Int(parameters.pointee.extradata_size)
    // Configurations begin with version 1; otherwise it is a byte stream, which the muxer takes apart.
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

  /// True if a container takes a sound track's packets as they are.
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

/// A way to carry the packets of one track over.
protocol TrackConverter {
  /// How many packets or frames were taken.
  var count: Int { get }
  /// Takes a packet of the track.
  func take(_ packet: PacketHandle) throws
  /// Takes the end of the track.
  func finish() throws
}

/// Copies packets.
final class TrackCopy: TrackConverter {
  private(set) var count = 0
  private let source: UnsafeMutablePointer<AVStream>
  private let trim: Trim?
  private let target: UnsafeMutablePointer<AVStream>
  private let muxer: MovieMuxer
  private let start: Int64
  /// When frames end; nil for sound, whose packets each last as long as they say.
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

/// Decodes and encodes sound.
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
  /// Takes over another track's turn of its frames for display.
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
