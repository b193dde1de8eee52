import Basics
package import EditModel
import FileSystem
import LivePhotoFormat

extension WorkLimits.Work {
  /// Reads how large the pictures of a job are from the headers of its files. No codec sees a byte of them.
  ///
  /// - Parameter paths: the files. One that cannot be read counts nothing; one whose headers are not known here counts as
  ///   much as the codecs take.
  package init(of paths: [String]) {
    self.init()
    // The headers of very many files would take longer than the job leaves unused.
    if paths.count > Self.mostFiles { addUnknown() }
    for path in paths.prefix(Self.mostFiles) {
      guard let source = try? FileByteSource(path: path) else { continue }
      bytes += min(source.count, 1 << 48)
      // An image sequence is both.
      let (isMovie, isPhoto) = (add(movie: source), add(photo: source))
      if !isMovie, !isPhoto { addUnknown() }
    }
  }

  private static let mostFiles = 64
  /// Samples of the largest frame and of the largest picture of other kinds that the codecs take, see `LibAV`.
  private static let (largestFrame, largestPicture) = (8192 * 4352, 4 * 8192 * 4352)
  /// Frames that a movie of unknown length may have.
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
    // Pictures that are larger are refused before they are decoded.
    let most = HEIFPicture.mostPixels
    stillPixels = max(
      stillPixels,
      min(min(max(metadata.storedWidth, 0), 1 << 16) * min(max(metadata.storedHeight, 0), 1 << 16), most))
    // What the headers of a movie behind the photo say is not looked for.
    if (try? photo.isMotionPhoto()) != false { addFrames() }
    return true
  }

  /// Frames behind a photo, of a movie whose headers are not read.
  private mutating func addFrames() {
    framePixels = max(framePixels, Self.largestFrame / 4)
    frames += 1 << 12
  }
}
