internal import CFFmpeg

/// The parts of FFmpeg that files of strangers may reach: a few of its hundreds of demuxers and decoders, most of which nobody
/// has looked at for years.
enum AllowedFormats {
  /// Containers that phones, cameras, editors and browsers write, by libavformat's names. None of them names other files that
  /// would be opened: no playlists, no lists of parts.
  static let movies = "mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,avi,mpegts,flv,asf,ogg,mpeg"

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
