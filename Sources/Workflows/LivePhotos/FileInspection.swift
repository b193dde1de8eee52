import Basics
import EditLibrary
import EditModel
import FileSystem
import LivePhotoFormat

/// The contents of a file and the files that belong to it, for display. A file name refers to the file itself, not to
/// its asset.
package struct FileInspection: Encodable, Sendable {
  /// A file with the same name as the inspected file but of the other kind, photo or movie.
  package struct Pair: Encodable, Sendable {
    /// The path of the file.
    package let file: String
    /// The file's identifier, or nil if the file has none or cannot be read.
    package let identifier: String?
    /// Whether both files have the same identifier, or nil if one of the files cannot be read.
    package let isSame: Bool?
  }

  /// An `.AAE` file beside the inspected file.
  package struct Adjustments: Encodable, Sendable {
    /// The path of the file.
    package let file: String
    /// The file's content, or nil if the file cannot be read.
    package let content: AdjustmentInspection?
  }

  /// The path of the inspected file.
  package let file: String
  /// The kind of the inspected file.
  package let kind: FileRole
  /// The content of a photo.
  package private(set) var photo: PhotoInspection?
  /// The content of a movie.
  package private(set) var movie: MovieInspection?
  /// The content of an adjustment data file.
  package private(set) var adjustments: AdjustmentInspection?
  /// The other halves with the same name. More than one half is ambiguous.
  package private(set) var pair: [Pair] = []
  /// The adjustment data beside the file: `IMG_0001.AAE` and `IMG_O0001.AAE`.
  package private(set) var adjustmentFiles: [Adjustments] = []

  private static let largestAdjustments = 1 << 24

  /// Reads a file's headers and searches its folder for files that belong to it.
  ///
  /// - Parameter path: The path of the file.
  /// - Throws: ``EditError`` if the file cannot be read or its format is not recognised.
  package init(path: String) throws(EditError) {
    var listings = LastListing()
    try self.init(path: path, &listings)
  }

  /// Reads a file's headers, and reuses the folder's listing from the previous file if possible.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - listings: The listing of the previous file's folder.
  /// - Throws: ``EditError`` if the file cannot be read or its format is not recognised.
  package init(path: String, _ listings: inout LastListing) throws(EditError) {
    file = path
    do {
      let source = try FileByteSource(path: path)
      guard source.count > 0 else { throw MediaError("it is empty", remedy: "copy it again from the phone") }
      let (folder, name) = FilePath.split(path)
      kind = try FileRole(source, name: name)
      switch kind {
      case .photo:
        photo = try PhotoInspection(Photo(source))
        pair = try Self.pair(of: name, in: listings.of(folder), kind: .movie, photo?.identifier, &listings)
      case .movie:
        movie = try MovieInspection(reading: source)
        pair = try Self.pair(of: name, in: listings.of(folder), kind: .photo, movie?.identifier, &listings)
      case .adjustments, .sidecar:
        adjustments = try Self.read(source)
        return
      }
      adjustmentFiles = Self.adjustments(beside: name, in: try listings.of(folder))
    } catch {
      throw EditError(reading: path, error)
    }
  }

  private static func read(_ source: FileByteSource) throws -> AdjustmentInspection {
    guard source.count <= largestAdjustments,
      let content = AdjustmentInspection(bytes: try source.read(at: 0, count: source.count))
    else { throw MediaError("it contains no adjustment data", remedy: "name an .AAE file that Photos wrote") }
    return content
  }

  private static func pair(
    of name: String, in listing: FolderListing, kind: HalfKind, _ identifier: String?,
    _ listings: inout LastListing
  ) throws -> [Pair] {
    var pairs = listing.halves(stem: RenderNames.Parts(name).stem, kind: kind).filter { $0 != name }.map {
      other in
      let path = listing.path(other)
      do {
        let source = try FileByteSource(path: path)
        let theirs =
          kind == .photo ? try Photo(source).contentIdentifier() : try MovieSummary(source).contentIdentifier
        return Pair(file: path, identifier: theirs, isSame: theirs != nil && theirs == identifier)
      } catch {
        return Pair(file: path, identifier: nil, isSame: nil)
      }
    }
    if let identifier, !pairs.contains(where: { $0.isSame == true }),
      let other = try listings.half(of: name, kind, identifier: identifier, in: listing)
    {
      pairs.insert(Pair(file: listing.path(other), identifier: identifier, isSame: true), at: 0)
    }
    return pairs
  }

  /// Returns the adjustment data beside a file: `IMG_0001.AAE` for an original or a render, and the camera's own
  /// `IMG_O0001.AAE`. For a movie beside a photo of another asset, the adjustment data is `clip.mp4.AAE`.
  private static func adjustments(beside name: String, in listing: FolderListing) -> [Adjustments] {
    let stem = RenderNames.Parts(name).stem
    let original = RenderNames.originalStem(ofRender: stem) ?? stem
    var stems = listing.adjustments(stem: name).isEmpty ? [original] : [name]
    let render = RenderNames.renderStem(of: original)
    if !render.hasSuffix("_edited") { stems.append(String(original.prefix(4)) + "O" + original.dropFirst(4)) }
    return stems.flatMap { listing.adjustments(stem: $0) }.map { found in
      let path = listing.path(found)
      let content = (try? FileByteSource(path: path)).flatMap { try? read($0) }
      return Adjustments(file: path, content: content)
    }
  }
}

extension FileRole {
  /// Determines the role of a single file from its first bytes, or from its extension if the bytes are not conclusive.
  init(_ source: FileByteSource, name: String) throws {
    let fileExtension = RenderNames.Parts(name).fileExtension
    if let format = try ForeignFormat(source, name: name) { throw format.error }
    if try Photo(source).kind != nil {
      self = .photo
    } else if try HalfKind(fileExtension: fileExtension) == .photo && !HalfIdentifier.isMovie(source) {
      self = .photo
    } else if let kind = Self.otherKind(source, name: name) {
      throw MediaError(
        "it is a \(kind) file", remedy: "name a JPEG or HEIC photo or a QuickTime movie", isUnsupported: true)
    } else {
      self = fileExtension.lowercased() == "aae" ? .adjustments : .movie
    }
  }

  /// Returns the kind that the name indicates if the file cannot be half of a Live Photo, or nil if its content is a
  /// photo or movie.
  static func otherKind(_ source: FileByteSource, name: String) -> String? {
    guard let kind = UnlistedEntries.kind(of: name), (try? Photo(source))?.kind == nil,
      (try? Movie(source)) == nil
    else { return nil }
    return kind
  }
}
