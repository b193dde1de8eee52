import Basics
import EditLibrary
import EditModel
import FileSystem
import LivePhotoFormat

/// The files that an edit is applied to, for changes that depend on their content.
package struct EditSource: Hashable, Sendable {
  /// The paths of the files by role.
  package let files: [FileRole: String]
  /// The metadata in the originals' XMP sidecar, if the edit reads the sidecar.
  var sidecar: SidecarFacts?

  /// Returns the size of the displayed picture before the edit. The result is the photo's size, or the movie's size if
  /// the asset has no photo or if a movie frame is the key photo.
  ///
  /// - Parameter motion: The edit's time and audio settings.
  /// - Throws: ``Basics/EditError`` if the file cannot be read.
  package func displayedSize(_ motion: Motion = .neutral) throws(EditError) -> PixelSize {
    let isOfMovie = try motion.keyPhoto == nil ? false : hasMovie
    if let path = files[.photo], !isOfMovie {
      let photo = try readFile(path) { try Photo($0).metadata() }
      return PixelSize(width: photo.width, height: photo.height)
    }
    return try withMovie { movie in
      let movie = try MovieSummary(movie)
      let width = movie.cleanAperture.flatMap { Int(exactly: $0.width.rounded()) } ?? movie.storedWidth
      let height = movie.cleanAperture.flatMap { Int(exactly: $0.height.rounded()) } ?? movie.storedHeight
      return PixelSize(turning: (width, height), by: movie.orientation)
    }
  }

  /// Converts a rectangle in pixels to a crop rectangle of the picture.
  ///
  /// - Parameters:
  ///   - pixels: The left edge, top edge, width and height in pixels. These values refer to the picture after the
  ///     edit's rotation and mirroring, but before straightening and cropping.
  ///   - edit: The edit.
  /// - Throws: ``Basics/EditError`` if the rectangle is empty or extends outside the picture, or if the file cannot be
  ///   read.
  package func rectangle(_ pixels: SIMD4<Double>, in edit: Edit) throws(EditError) -> Crop.Rectangle {
    let size = try displayedSize(edit.motion)
    let turned = PixelSize(turning: (size.width, size.height), by: edit.orientation)
    let (width, height) = (turned.width, turned.height)
    let beyond = EditError(
      .invalidEdit, file: files[.photo] ?? files[.movie],
      "has \(width)x\(height) pixels, and the rectangle lies outside the picture",
      remedy: "specify the left edge, top edge, width and height of a rectangle inside the picture")
    // These comparisons are also false for NaN.
    guard width > 0, height > 0, pixels.x >= 0, pixels.y >= 0, pixels.z > 0, pixels.w > 0,
      pixels.x + pixels.z <= Double(width), pixels.y + pixels.w <= Double(height)
    else { throw beyond }
    let whole = Double(Crop.Rectangle.whole)
    func edge(_ pixels: Double, _ side: Int) -> Int { Int((pixels / Double(side) * whole).rounded()) }
    let (left, top) = (edge(pixels.x, width), edge(pixels.y, height))
    do throws(EditError) {
      return try Crop.Rectangle(
        left: left, top: top, width: edge(pixels.x + pixels.z, width) - left,
        height: edge(pixels.y + pixels.w, height) - top)
    } catch {
      throw beyond
    }
  }
}
