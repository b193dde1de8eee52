import Basics
import EditLibrary
import EditModel
import FileSystem
import LivePhotoFormat

/// The contents of a file and the files that belong to it, for display. A file name means the file here, not the asset.
package struct FileInspection: Encodable, Sendable {
  /// The file of the same name that is the other kind.
  package struct Pair: Encodable, Sendable {
    /// Its path.
    package let file: String
    /// Its identifier; nil when it carries none or cannot be read.
    package let identifier: String?
    /// True if both carry the same identifier; nil when one of them cannot be read.
    package let isSame: Bool?
  }

  /// An `.AAE` file beside the file.
  package struct Adjustments: Encodable, Sendable {
    /// Its path.
    package let file: String
    /// Its content; nil when it cannot be read.
    package let content: AdjustmentInspection?
  }

  /// The path.
  package let file: String
  /// Its kind.
  package let kind: FileRole
  /// The photo.
  package private(set) var photo: PhotoInspection?
  /// The movie.
  package private(set) var movie: MovieInspection?
  /// The adjustment data of the file itself.
  package private(set) var adjustments: AdjustmentInspection?
  /// The other halves by name; more than one is ambiguous.
  package private(set) var pair: [Pair] = []
  /// The adjustment data beside it: `IMG_0001.AAE` and `IMG_O0001.AAE`.
  package private(set) var adjustmentFiles: [Adjustments] = []

  private static let largestAdjustments = 1 << 24

  /// Reads a file's headers and looks for what belongs to it in its folder.
  ///
  /// - Parameter path: the file.
  /// - Throws: ``EditError`` when it cannot be read, or is nothing that is known.
  package init(path: String) throws(EditError) {
    var listings = LastListing()
    try self.init(path: path, &listings)
  }

  /// The same for one of many files.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - listings: the listing of its folder, where the file before lies in it too.
  /// - Throws: ``EditError`` when it cannot be read, or is nothing that is known.
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

  /// `IMG_0001.AAE` for the original and for the render, and the camera's own `IMG_O0001.AAE`; `clip.mp4.AAE` for a movie beside
  /// a photo that it doesn't belong to.
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
  /// Tells what a file is that is looked at alone: by its first bytes, and by the extension where they do not tell.
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

  /// The kind of a file that is no half of a Live Photo, as its name tells; nil where its content is one.
  static func otherKind(_ source: FileByteSource, name: String) -> String? {
    guard let kind = UnlistedEntries.kind(of: name), (try? Photo(source))?.kind == nil,
      (try? Movie(source)) == nil
    else { return nil }
    return kind
  }
}
