import Basics
internal import CFFmpeg
import FileSystem

/// An open QuickTime movie from which all samples of a track are read. The edit list is ignored.
final class MovieDemuxer {
  private let input: MediaInput
  let stream: UnsafeMutablePointer<AVStream>

  var context: UnsafeMutablePointer<AVFormatContext> { input.context }

  /// - Parameters:
  ///   - path: The path of the movie.
  ///   - trackID: The ID of the track, as stated in its `tkhd` box.
  init(path: String, trackID: Int) throws {
    input = try MediaInput(
      // All times are read from the sample tables.
      path: path, format: "mov", flags: AVFMT_FLAG_NOPARSE | AVFMT_FLAG_NOFILLIN,
      options: [
        "ignore_editlist": "1", "advanced_editlist": "0", "enable_drefs": "0",
      ]
    ) { .damaged("the file cannot be read as a movie (\(LibAV.message($0)))") }
    let streams = (0..<Int(input.context.pointee.nb_streams)).compactMap { [input] in
      input.context.pointee.streams[$0]
    }
    guard let found = streams.first(where: { Int($0.pointee.id) == trackID }),
      found.pointee.codecpar != nil
    else { throw MediaError.damaged("track \(trackID) of the movie cannot be read") }
    for other in streams where other != found { other.pointee.discard = AVDISCARD_ALL }
    stream = found
    if try Self.isFragmented(path) { try readFragments() }
  }

  /// The maximum number of top-level boxes that are searched. LivePhotoFormat rejects movies with more boxes.
  private static let mostAtoms = 4096

  /// Returns whether the movie stores samples in fragments (ISO/IEC 14496-12, section 8.8).
  private static func isFragmented(_ path: String) throws -> Bool {
    let source = try FileByteSource(path: path)
    var place = 0
    for _ in 0..<mostAtoms where source.count - place >= 8 {
      let head = try source.read(at: place, count: min(16, source.count - place))
      func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
      if head[4..<8].elementsEqual("moof".utf8) { return true }
      let short = number(head[..<4])
      // A 64-bit size follows the box type. A size of 0 means that the box extends to the end of the file.
      let size = short == 1 && head.count == 16 && head[8] == 0 ? number(head[8...]) : short
      guard size >= 8, size <= source.count - place else { return false }
      place += size
    }
    return false
  }

  /// Reads all packets once, which makes libavformat index the samples of all fragments.
  private func readFragments() throws {
    let packet = try PacketHandle()
    let failure = MediaError.damaged("the movie's fragments cannot be read")
    while try read(into: packet, failure: failure) { av_packet_unref(packet.pointer) }
    guard let first = avformat_index_get_entry(stream, 0) else { throw failure }
    let status = av_seek_frame(context, stream.pointee.index, first.pointee.timestamp, AVSEEK_FLAG_BACKWARD)
    guard status >= 0 else { throw LibAV.failure(status, failure) }
    stream.pointee.nb_frames = Int64(avformat_index_get_entries_count(stream))
  }

  /// Reads the next packet of the track.
  ///
  /// - Parameters:
  ///   - packet: The packet to fill, which must be empty.
  ///   - failure: The error to throw if the movie cannot be read.
  /// - Returns: False at the end of the track.
  func read(into packet: PacketHandle, failure: @autoclosure () -> MediaError) throws -> Bool {
    while true {
      let status = av_read_frame(context, packet.pointer)
      if status == liveedit_averror_eof { return false }
      guard status >= 0 else { throw LibAV.failure(status, failure()) }
      if packet.pointer.pointee.stream_index == stream.pointee.index { return true }
      av_packet_unref(packet.pointer)
    }
  }

  /// Reads the next packet of the track. Damage is treated as the end of the track, because strict decoding reports the
  /// samples that are missing after that point.
  ///
  /// - Parameter packet: The packet to fill, which must be empty.
  /// - Returns: False at the end of the track or at a damaged position.
  /// - Throws: The errors that ``read(into:failure:)`` throws for causes other than damage.
  func readUpToDamage(into packet: PacketHandle) throws -> Bool {
    do {
      return try read(into: packet, failure: .damaged("the movie's fragments cannot be read"))
    } catch let error as MediaError where !error.isUnsupported {
      return false
    }
  }
}
