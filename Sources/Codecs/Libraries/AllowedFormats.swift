internal import CFFmpeg

/// The parts of FFmpeg that files of strangers may reach: a few of its hundreds of demuxers and decoders, most of which nobody
/// has looked at for years.
enum AllowedFormats {
  /// The container of a movie by its first bytes, out of those that phones, cameras, editors and browsers write. None of
  /// them names other files that would be opened: no playlists, no lists of parts. libavformat is told which it is, since where it
  /// finds out itself each of its demuxers looks into the file.
  ///
  /// - Parameter bytes: the first 4 KiB, or all.
  /// - Returns: libavformat's name; nil for other files.
  static func container(of bytes: [UInt8]) -> String? {
    func has(_ mark: String, at place: Int) -> Bool { bytes.dropFirst(place).starts(with: mark.utf8) }
    // A demuxer's first name serves all that it reads.
    if atoms.contains(where: { has($0, at: 4) }) { return "mov" }
    if bytes.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) { return "matroska" }
    if has("RIFF", at: 0), has("AVI ", at: 8) || has("AVIX", at: 8) { return "avi" }
    if has("FLV", at: 0) { return "flv" }
    if bytes.starts(with: [0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11]) { return "asf" }
    if has("OggS", at: 0) { return "ogg" }
    if bytes.drop(while: { $0 == 0 }).starts(with: [1, 0xBA]), bytes.starts(with: [0, 0]) { return "mpeg" }
    return isTransportStream(bytes) ? "mpegts" : nil
  }

  /// The atoms that QuickTime movies and ISO base media files begin with.
  private static let atoms = [
    "ftyp", "moov", "mdat", "free", "skip", "wide", "pnot", "udta", "uuid", "junk", "styp", "sidx", "moof",
    "prfl",
  ]

  /// True if sync bytes follow each other by the length of a packet (ISO/IEC 13818-1, section 2.4.3), with a time
  /// before each (AVCHD) or a checksum behind it.
  private static func isTransportStream(_ bytes: [UInt8]) -> Bool {
    [188, 192, 204].contains { length in
      (0..<length).contains { start in
        let packets = Array(stride(from: start, to: bytes.count, by: length))
        return packets.count >= 5 && packets.allSatisfy { bytes[$0] == 0x47 }
      }
    }
  }

  /// The only protocol: files, which are opened before and handed over by descriptor.
  static let protocols = "file"

  /// Decoders by libavcodec's names: of what those containers hold, and of pictures.
  static let decoders = (video + sound + pictures).joined(separator: ",")

  private static let video = [
    "h264", "hevc", "prores", "mjpeg", "mpeg4", "vp8", "vp9", "libdav1d", "av1", "h263", "flv", "mpeg1video",
    "mpeg2video", "msmpeg4", "msmpeg4v1", "msmpeg4v2", "wmv1", "wmv2", "wmv3", "vc1", "theora", "dvvideo",
    "dnxhd",
    "ffv1", "rawvideo",
  ]
  private static let sound = [
    "aac", "aac_latm", "alac", "ac3", "eac3", "mp3float", "mp3", "mp2float", "mp2", "mp1float", "opus",
    "libopus", "vorbis",
    "flac", "amrnb", "amrwb", "wmav1", "wmav2", "wmapro", "adpcm_ima_qt", "adpcm_ima_wav", "adpcm_ms",
    "adpcm_swf",
    "pcm_alaw", "pcm_mulaw", "pcm_u8", "pcm_s8", "pcm_s16le", "pcm_s16be", "pcm_s24le", "pcm_s24be",
    "pcm_s32le",
    "pcm_s32be", "pcm_f32le", "pcm_f32be", "pcm_f64le", "pcm_f64be", "pcm_bluray", "pcm_dvd",
  ]
  private static let pictures = ["png", "tiff", "webp"]

  /// True if a decoder is on the list.
  static func has(_ decoder: UnsafePointer<AVCodec>) -> Bool {
    (video + sound + pictures).contains(String(cString: decoder.pointee.name))
  }

  /// Holds a decoder to the list; its nested ones have the list from it.
  static func restrict(_ context: UnsafeMutablePointer<AVCodecContext>) {
    // The context owns the copy, and frees it with its other options.
    context.pointee.codec_whitelist = av_strdup(decoders)
  }
}
