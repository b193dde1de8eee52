import Basics
import EditLibrary
import EditModel
import FileSystem
import FoundationEssentials
import LivePhotoFormat
import RenderClient
import Workflows

/// A request for a picture of an asset.
struct ImageRequest: Sendable {
  let library: PhotoLibrary
  let asset: Asset
  let targetSize: PixelSize
  let isCancelled: @Sendable () -> Bool

  /// The file that is displayed for the current version.
  private struct ShownFile: Equatable {
    let role: FileRole
    let path: String
    /// The SHA-256 of the file.
    let content: String
  }

  /// Delivers the pictures as they become ready. If another process changes the asset during the request, the result or
  /// error is discarded, and the new current version is decoded.
  ///
  /// - Throws: ``EditError`` if the picture cannot be decoded, or if the request was cancelled.
  func run(_ give: (AssetImage) -> Void) throws(EditError) {
    if isCancelled() { throw EditError.stopped(asset.path) }
    var shown = try shownFile()
    var hasThumbnail = false
    while true {
      let key = ImageCache.Key(content: shown.content, size: targetSize)
      if let image = library.images[key] { return give(image) }
      let folder = try ScratchFolder()
      if shown.role == .photo, !hasThumbnail, let image = try? thumbnail(of: shown.path, in: folder) {
        give(image)
        hasThumbnail = true
      }
      let result = Result { () throws(EditError) in try picture(of: shown, in: folder) }
      let now = isCancelled() ? shown : try shownFile()
      if now == shown {
        let image = try result.get()
        library.images[key] = image
        return give(image)
      }
      shown = now
    }
  }

  private func picture(of shown: ShownFile, in folder: ScratchFolder) throws(EditError) -> AssetImage {
    let photo =
      shown.role == .movie
      ? try firstFrame(of: shown.path, in: folder)
      : try MotionPhotoFiles(ifIn: shown.path, folder)?.photo ?? shown.path
    let size = try readFile(photo) { source in
      let metadata = try Photo(source).metadata()
      return PixelSize(width: metadata.width, height: metadata.height)
    }
    do throws(EditError) {
      return try render(photo, fitting: covering(size), in: folder, isDegraded: false)
    } catch {
      var error = error
      // Replaces the name of a temporary file with the file name that the user sees.
      if error.file == photo { error.file = shown.path }
      throw error
    }
  }

  /// Returns the file of the photo, or of the movie if there is no photo.
  private func shownFile() throws(EditError) -> ShownFile {
    try Library.reading(library.path, layout: library.layout, report: library.report) {
      library throws(EditError) in
      let record = try library.state(named: asset.name, isLeaving: false, isReading: true).record
      let number = EditStart(of: record, resumes: { _ in false }).base
      let files = number == 0 ? record.originals : record.version(number)?.files ?? []
      guard let file = files.first(where: { $0.role == .photo }) ?? files.first(where: { $0.role == .movie })
      else {
        throw EditError(.notFound, file: asset.path, "has neither a photo nor a movie")
      }
      return ShownFile(
        role: file.role, path: library.path(of: file, version: number, in: record),
        content: file.fingerprint.sha256)
    }
  }

  /// Returns the smallest size with the picture's aspect ratio that covers the target. The size never exceeds the
  /// picture's own size.
  private func covering(_ picture: PixelSize) -> PixelSize {
    let (width, height) = (Double(max(picture.width, 1)), Double(max(picture.height, 1)))
    // Adds two pixels to the width and height, because both are rounded down to even numbers.
    let scale =
      max(Double(targetSize.width) / width, Double(targetSize.height) / height) + 2 / min(width, height)
    guard scale < 1 else { return picture }
    return PixelSize(
      width: Int((width * max(scale, 0)).rounded(.up)), height: Int((height * max(scale, 0)).rounded(.up)))
  }

  /// Decodes a photo and encodes it as a small, upright JPEG.
  private func render(
    _ photo: String, turnedBy orientation: Orientation = .identity, fitting size: PixelSize,
    in folder: ScratchFolder, isDegraded: Bool
  ) throws(EditError) -> AssetImage {
    let output = folder.file(isDegraded ? "thumbnail-upright" : "picture")
    let job = RenderJob(
      photo: .init(source: photo, output: output), movie: nil, edit: Edit(orientation: orientation),
      settings: RenderSettings(photoFormat: .jpeg), identifier: nil, fittingSize: size)
    _ = try library.renderer.render(job, progress: { _ in }, isCancelled: isCancelled)
    if isCancelled() { throw EditError.stopped(asset.path) }
    return try readFile(output) { source in
      let metadata = try Photo(source).metadata()
      return AssetImage(
        data: Data(try source.read(at: 0, count: source.count)),
        size: PixelSize(width: metadata.width, height: metadata.height), isDegraded: isDegraded)
    }
  }

  /// Returns the thumbnail in the photo's Exif block; nil if the block contains no thumbnail.
  private func thumbnail(of photo: String, in folder: ScratchFolder) throws(EditError) -> AssetImage? {
    let (bytes, orientation) = try readFile(photo) { source -> ([UInt8]?, Orientation) in
      let photo = try Photo(source)
      return (try photo.embeddedThumbnail(), try photo.metadata().orientation)
    }
    guard let bytes else { return nil }
    let file = folder.file("thumbnail")
    try whileWriting(file) { try File.create(file, bytes: bytes) }
    return try render(
      file, turnedBy: orientation, fitting: PixelSize(width: 512, height: 512), in: folder,
      isDegraded: true)
  }

  private func firstFrame(of movie: String, in folder: ScratchFolder) throws(EditError) -> String {
    guard let converter = library.renderer as? any MediaConverter else {
      throw EditError(
        .unsupported, file: asset.path, "cannot be shown: the library's renderer cannot convert movies",
        remedy: "open the library with HelperRenderer or InProcessRenderer")
    }
    let file = folder.file("frame")
    let job = ConversionJob.frame(movie: movie, seconds: 0, output: file)
    _ = try converter.convert(job, isCancelled: isCancelled)
    return file
  }
}
