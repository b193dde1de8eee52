import Basics
import FileSystem
import LivePhotoFormat

/// Reads what ties a photo to its movie. The one place where this room looks into the containers.
enum HalfIdentifier {
  /// The content identifier of a file.
  ///
  /// - Parameters:
  ///   - path: the file's path; links are followed.
  ///   - kind: which half it is by its name.
  /// - Returns: nil when the file is sound and carries none.
  static func read(_ path: String, kind: HalfKind) throws(EditError) -> String? {
    try whileReading(path) {
      let source = try FileByteSource(path: path)
      guard source.count > 0 else {
        throw EditError(.invalidFile, file: path, "is empty", remedy: "copy it again from the phone")
      }
      return try kind == .photo
        ? Photo(source).contentIdentifier() : MovieSummary(source).contentIdentifier
    } catch {
      throw EditError(reading: path, error)
    }
  }

  /// The half that a file is by its content, for names whose extension does not tell.
  ///
  /// - Parameter path: the file's path; links are followed.
  static func kind(ofContent path: String) throws(EditError) -> HalfKind {
    for kind in [HalfKind.movie, .photo] {
      do {
        _ = try read(path, kind: kind)
        return kind
      } catch {
        if error.code != .invalidFile { throw error }
      }
    }
    throw EditError(
      .invalidFile, file: path, "is neither a photo nor a movie",
      remedy: "name a JPEG, HEIC or QuickTime file")
  }
}
