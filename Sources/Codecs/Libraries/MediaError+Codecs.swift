import Basics

extension MediaError {
  /// The error for insufficient system memory. The file may be intact.
  static let noMemory = MediaError(
    "not enough memory to process the file", remedy: "raise the limit (ulimit -v) or close other programs",
    isUnsupported: true)

  /// Returns the error for a part that is missing from the installed FFmpeg libraries.
  static func missing(_ part: String) -> MediaError {
    MediaError(
      "the installed FFmpeg libraries do not include \(part)",
      remedy: "install a version of libavcodec that includes it")
  }

  static func damaged(_ problem: Message) -> MediaError {
    MediaError(problem, remedy: "copy the file from the phone again")
  }

  static func unsupported(_ problem: Message, remedy: Message? = nil) -> MediaError {
    MediaError(problem, remedy: remedy, isUnsupported: true)
  }
}
