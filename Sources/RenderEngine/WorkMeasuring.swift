import Basics
package import EditModel
import FileSystem
import LivePhotoFormat

extension WorkLimits.Work {
  /// Reads the picture sizes of a job from the headers of its files, without using a codec.
  ///
  /// - Parameter paths: The paths of the files. A file that cannot be read is ignored. A file with unsupported headers
  ///   counts as a picture of the largest size that the codecs accept.
  package init(of paths: [String]) {
    self.init()
    // Reading the headers of very many files would take more time than it saves.
    if paths.count > Self.mostFiles { addUnknown() }
    for path in paths.prefix(Self.mostFiles) {
      guard let source = try? FileByteSource(path: path) else { continue }
      bytes += min(source.count, 1 << 48)
      // An image sequence counts both as a movie and as a photo.
      let (isMovie, isPhoto) = (add(movie: source), add(photo: source))
      if !isMovie, !isPhoto { addUnknown() }
    }
  }

  private static let mostFiles = 64
  /// The number of samples in the largest frame, and in the largest other picture, that the codecs accept; see `LibAV`.
  private static let (largestFrame, largestPicture) = (8192 * 4352, 4 * 8192 * 4352)
  /// The number of frames assumed for a movie of unknown length.
  private static let manyFrames = 1 << 20

  private mutating func addUnknown() {
    stillPixels = max(stillPixels, Self.largestPicture)
    framePixels = max(framePixels, Self.largestFrame)
    frames += Self.manyFrames
  }

  private mutating func add(movie source: FileByteSource) -> Bool {
    guard let movie = try? MovieSummary(source) else { return false }
    framePixels = max(framePixels, min(movie.storedWidth * movie.storedHeight, Self.largestFrame))
    frames += min(max(movie.frameCount, 0), Self.manyFrames)
    return true
  }

  private mutating func add(photo source: FileByteSource) -> Bool {
    guard let photo = try? Photo(source), photo.kind != nil, let metadata = try? photo.metadata() else {
      return false
    }
    // Larger pictures are rejected before they are decoded.
    let most = HEIFPicture.mostPixels
    stillPixels = max(
      stillPixels,
      min(min(max(metadata.storedWidth, 0), 1 << 16) * min(max(metadata.storedHeight, 0), 1 << 16), most))
    // The headers of a movie inside a photo's file are not read, so its frames must be assumed.
    if (try? photo.isMotionPhoto()) != false { addFrames() }
    return true
  }

  /// Adds assumed frames for a movie inside a photo's file. The headers of such a movie are not read.
  private mutating func addFrames() {
    framePixels = max(framePixels, Self.largestFrame / 4)
    frames += 1 << 12
  }
}
