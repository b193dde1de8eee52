import FileSystem
import LivePhotoFormat

/// The photo of a job, opened once for all that ask it; or the error of opening it, for the first that needs it.
typealias OpenedPhoto = Result<Photo, any Error>

extension OpenedPhoto {
  /// - Parameter path: the photo's file.
  init(path: String) {
    self.init { try Photo(FileByteSource(path: path)) }
  }
}
