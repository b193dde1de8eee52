import Basics

extension MediaError {
  /// The system gives no more memory. The file may be sound.
  static let noMemory = MediaError(
    "there is not enough memory for it", remedy: "raise the limit (ulimit -v) or close other programs",
    isUnsupported: true)

  /// A part of the installed FFmpeg libraries that is not there.
  static func missing(_ part: String) -> MediaError {
    MediaError("the installed FFmpeg libraries have no \(part)", remedy: "install libavcodec with it")
  }

  static func damaged(_ problem: Message) -> MediaError {
    MediaError(problem, remedy: "copy it again from the phone")
  }

  static func unsupported(_ problem: Message, remedy: Message? = nil) -> MediaError {
    MediaError(problem, remedy: remedy, isUnsupported: true)
  }
}
