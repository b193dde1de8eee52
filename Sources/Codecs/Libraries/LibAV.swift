import Basics
internal import CFFmpeg
import Glibc

/// Helpers shared by all code that uses FFmpeg's libraries.
enum LibAV {
  /// The maximum number of samples in a movie frame: 8192x4352, the maximum at the highest levels of H.264 and HEVC.
  static let maximumSamples = 8192 * 4352
  /// The maximum width or height of a frame or coded tile, which is x264's limit. At the highest levels, the limit is
  /// 16880 for H.264 and 16888 for HEVC (ITU-T H.264 section A.3.1, H.265 section A.4.1).
  static let longestSide = 16384

  /// Checks that a frame is small enough to be decoded and encoded.
  ///
  /// - Throws: ``MediaError`` if the frame has too many samples, or if its width or height is too large.
  static func checkSize(_ width: Int, _ height: Int) throws {
    guard max(width, height) <= longestSide else {
      throw MediaError(
        "frames of \(width)x\(height) exceed the limit of \(longestSide) pixels in width or height",
        isUnsupported: true)
    }
    guard width * height <= maximumSamples else {
      throw MediaError("the frames are larger than 8192x4352", isUnsupported: true)
    }
  }

  /// Silences the libraries, whose messages are not intended for users, and limits the size of each memory allocation.
  static let setUp: Void = {
    av_log_set_level(AV_LOG_QUIET)
    av_max_alloc(1 << 29)
  }()

  /// Returns the library's message for an error code.
  static func message(_ code: Int32) -> String {
    var buffer = [CChar](repeating: 0, count: 128)
    guard av_strerror(code, &buffer, buffer.count) == 0 else { return "error \(code)" }
    let text = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return text.lowercased()
  }

  /// Returns the error for a failed call. The result is either an out-of-memory error, which does not concern the file,
  /// or the given error.
  static func failure(_ status: Int32, _ other: @autoclosure () -> MediaError) -> MediaError {
    var error = status == liveedit_averror_enomem ? MediaError.noMemory : other()
    error.cause = .ffmpeg(status)
    return error
  }

  /// Calls `body` with a dictionary of options.
  ///
  /// - Throws: Any error that `body` throws, or ``MediaError`` if an option was not recognised.
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

  /// Copies bytes and appends the padding that the libraries may read beyond the end of the data.
  ///
  /// - Returns: The memory, which will be owned by the library's structure.
  static func extradata(_ bytes: [UInt8]) throws -> UnsafeMutablePointer<UInt8> {
    guard let copy = av_mallocz(bytes.count + Int(AV_INPUT_BUFFER_PADDING_SIZE)) else {
      throw MediaError.noMemory
    }
    copy.copyMemory(from: bytes, byteCount: bytes.count)
    return copy.assumingMemoryBound(to: UInt8.self)
  }
}
