internal import CFFmpeg

/// The parts of FFmpeg to which untrusted files have access. FFmpeg has hundreds of demuxers and decoders, and most of
/// these have not been reviewed for years.
enum AllowedFormats {
  /// Identifies the container of a movie by the first bytes of the file. Only containers that phones, cameras, editors
  /// and browsers write are recognised. Playlists and other formats that could make the library open further files are
  /// excluded. The result is passed to libavformat, because libavformat's own detection would let every demuxer parse
  /// the file.
  ///
  /// - Parameter bytes: The first 4 KiB of the file, or the complete file if the file is shorter.
  /// - Returns: libavformat's name for the container, or nil if the container is not recognised.
  static func container(of bytes: [UInt8]) -> String? {
    func has(_ mark: String, at place: Int) -> Bool { bytes.dropFirst(place).starts(with: mark.utf8) }
    // The first name of a demuxer selects that demuxer for all formats that it supports.
    if atoms.contains(where: { has($0, at: 4) }) { return "mov" }
    if bytes.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) { return "matroska" }
    if has("RIFF", at: 0), has("AVI ", at: 8) || has("AVIX", at: 8) { return "avi" }
    if has("FLV", at: 0) { return "flv" }
    if bytes.starts(with: [0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11]) { return "asf" }
    if has("OggS", at: 0) { return "ogg" }
    if bytes.drop(while: { $0 == 0 }).starts(with: [1, 0xBA]), bytes.starts(with: [0, 0]) { return "mpeg" }
    return isTransportStream(bytes) ? "mpegts" : nil
  }

  /// The atoms with which QuickTime movies and ISO base media files begin.
  private static let atoms = [
    "ftyp", "moov", "mdat", "free", "skip", "wide", "pnot", "udta", "uuid", "junk", "styp", "sidx", "moof",
    "prfl",
  ]

  /// Returns whether sync bytes repeat at intervals of one packet length (ISO/IEC 13818-1, section 2.4.3). Each packet
  /// may be preceded by a timestamp (AVCHD) or followed by a checksum.
  private static func isTransportStream(_ bytes: [UInt8]) -> Bool {
    [188, 192, 204].contains { length in
      (0..<length).contains { start in
        let packets = Array(stride(from: start, to: bytes.count, by: length))
        return packets.count >= 5 && packets.allSatisfy { bytes[$0] == 0x47 }
      }
    }
  }

  /// The only allowed protocol. Files are opened beforehand and passed as file descriptors.
  static let protocols = "file"

  /// The names of the allowed decoders in libavcodec: decoders for the content of the allowed containers, and decoders
  /// for pictures.
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

  /// Returns whether a decoder is allowed.
  static func has(_ decoder: UnsafePointer<AVCodec>) -> Bool {
    (video + sound + pictures).contains(String(cString: decoder.pointee.name))
  }

  /// Restricts a decoder to the list of allowed decoders. Nested decoders inherit this list.
  static func restrict(_ context: UnsafeMutablePointer<AVCodecContext>) {
    // The context owns the copied string and frees it together with the context's other options.
    context.pointee.codec_whitelist = av_strdup(decoders)
  }
}
