import EditModel

extension MediaError {
  static func damaged(_ problem: String) -> MediaError {
    MediaError(problem, remedy: "copy it again from the phone")
  }

  static func unsupported(_ problem: String, remedy: String? = nil) -> MediaError {
    MediaError(problem, remedy: remedy, isUnsupported: true)
  }
}
