import Basics
internal import CFFmpeg
import Glibc

/// The parts that all uses of FFmpeg's libraries share.
enum LibAV {
  /// Most samples of a movie's frame: 8192x4352, as the highest levels of H.264 and HEVC allow.
  static let maximumSamples = 8192 * 4352
  /// Longest side of a frame or a coded tile: the encoders of H.264 and HEVC take no longer one (x264), and the highest levels of
  /// both end at 16880 and 16888 (ITU-T H.264 section A.3.1, H.265 section A.4.1).
  static let longestSide = 16384

  /// Makes sure that a frame is small enough to be decoded and encoded.
  ///
  /// - Throws: ``MediaError`` when it has too many samples, or too long a side.
  static func checkSize(_ width: Int, _ height: Int) throws {
    guard max(width, height) <= longestSide else {
      throw MediaError(
        "the frames of \(width)x\(height) have more than \(longestSide) columns or rows", isUnsupported: true)
    }
    guard width * height <= maximumSamples else {
      throw MediaError("the frames are larger than 8192x4352", isUnsupported: true)
    }
  }

  /// Silences the libraries, whose messages are not for our users, and bounds any one allocation.
  static let setUp: Void = {
    av_log_set_level(AV_LOG_QUIET)
    av_max_alloc(1 << 29)
  }()

  /// The library's words for an error code.
  static func message(_ code: Int32) -> String {
    var buffer = [CChar](repeating: 0, count: 128)
    guard av_strerror(code, &buffer, buffer.count) == 0 else { return "error \(code)" }
    let text = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return text.lowercased()
  }

  /// The error of a call that failed: that there was no memory, which says nothing of the file, or another one.
  static func failure(_ status: Int32, _ other: @autoclosure () -> MediaError) -> MediaError {
    var error = status == liveedit_averror_enomem ? MediaError.noMemory : other()
    error.cause = .ffmpeg(status)
    return error
  }

  /// Calls `body` with a dictionary of options.
  ///
  /// - Throws: what `body` throws; ``MediaError`` when it left an option over, that is, did not know it.
  static func withOptions<Result>(
    _ options: KeyValuePairs<String, String>, _ body: (inout OpaquePointer?) throws -> Result
  ) throws -> Result {
    var dictionary: OpaquePointer?
    defer { av_dict_free(&dictionary) }
    for (key, value) in options { av_dict_set(&dictionary, key, value, 0) }
    let result = try body(&dictionary)
    guard av_dict_count(dictionary) == 0 else {
      throw MediaError("the installed FFmpeg libraries lack a required option")
    }
    return result
  }

  /// A copy of some bytes with the padding that the libraries read beyond.
  ///
  /// - Returns: memory that the library's structure owns from then on.
  static func extradata(_ bytes: [UInt8]) throws -> UnsafeMutablePointer<UInt8> {
    guard let copy = av_mallocz(bytes.count + Int(AV_INPUT_BUFFER_PADDING_SIZE)) else {
      throw MediaError.noMemory
    }
    copy.copyMemory(from: bytes, byteCount: bytes.count)
    return copy.assumingMemoryBound(to: UInt8.self)
  }
}
