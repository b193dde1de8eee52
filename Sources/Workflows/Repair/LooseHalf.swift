import Basics
import EditLibrary
import EditModel
import FileSystem
import LivePhotoFormat

/// A photo or movie that may be a half of a Live Photo, with all that its headers and a sidecar say about where it
/// belongs.
struct LooseHalf: Sendable {
  let path: String
  /// The folder that it lies in, as it was named.
  let folder: String
  let kind: HalfKind
  /// The name without its extension.
  let stem: String
  /// The forms of the name, and of the name before Takeout changed it.
  let names: [NameForm]
  /// The identifier that ties it to its other half.
  var identifier: String?
  /// When it was taken, by its own metadata.
  var created: CaptureDate?
  var model: String?
  var location: GeoLocation?
  /// When and where it was taken, by its own metadata alone.
  let facts: HalfFacts
  /// The kind of photo; nil for a movie.
  var photoKind: PhotoKind?
  /// Seconds of a movie.
  var duration: Double?
  /// True for a movie that marks the photo's place.
  var marksPhoto = false
  /// The facts by Takeout.
  var sidecar: TakeoutSidecar?
  /// Bytes of the file.
  let size: Int

  /// The file's name.
  var name: String { FilePath.split(path).name }
  /// The form of its name.
  var form: NameForm { names[0] }

  /// Reads a file's headers.
  ///
  /// - Throws: ``Basics/EditError`` when they cannot be read.
  init(_ name: String, kind: HalfKind, in listing: FolderListing, sidecar: TakeoutSidecar?) throws(EditError)
  {
    (path, folder) = (listing.path(name), listing.folder)
    self.kind = kind
    self.sidecar = sidecar
    stem = RenderNames.Parts(name).stem
    var names = [NameForm(stem: stem)]
    if let title = sidecar.map({ NameForm(stem: RenderNames.Parts($0.title).stem) }),
      title.root != names[0].root
    {
      names.append(title)
    }
    self.names = names
    let source = try whileReading(path) { try FileByteSource(path: listing.path(name)) }
    size = source.count
    try whileReading(path) { try HalfIdentifier.check(source, name, is: kind) }
    if kind == .photo {
      let (photo, photoKind) = try whileReading(path) {
        let photo = try Photo(source)
        return (try photo.metadata(), photo.kind)
      }
      (identifier, created, model, location) = (
        photo.contentIdentifier, photo.created, photo.model, photo.location
      )
      self.photoKind = photoKind
    } else {
      let movie = try whileReading(path) { try MovieMetadata(reading: source) }
      (identifier, created, model, location) = (
        movie.contentIdentifier, movie.created, movie.model, movie.location
      )
      duration = movie.duration
      // An odd movie has no mark that could be found.
      marksPhoto = try ifSound(path) { try Movie(source).stillImageTime } != nil
    }
    facts = HalfFacts(created: created, location: location)
    location = location ?? sidecar?.location
  }

  /// The time that the clock at the place showed, in milliseconds since 1970 on that clock; nil where the file does not say.
  var wallClock: Int? { created.flatMap { $0.source == .movieHeader ? nil : $0.wallClock } }

  /// The moment, in milliseconds since 1970 UTC, by its own metadata or else by its sidecar; nil where no time zone is known.
  /// A movie's header counts where nothing else does.
  var instant: Int? {
    if let created, created.offset != nil, created.source != .movieHeader { return created.instant }
    return sidecar?.taken ?? (isHeaderAlone ? created?.instant : nil)
  }

  /// True if a movie's header alone says when it was made, which may be when it was copied.
  var isHeaderAlone: Bool { created?.source == .movieHeader && sidecar?.taken == nil }
}

extension LooseHalf {
  /// The photos and movies of a folder, without hidden files and without renders whose originals are there.
  ///
  /// - Parameters:
  ///   - listing: the folder.
  ///   - leave: told of files that cannot be read, and why: a clause.
  static func all(
    in listing: FolderListing, leave: (_ path: String, _ problem: Message) -> Void
  ) -> (photos: [LooseHalf], movies: [LooseHalf]) {
    for path in listing.unusableHalves where !FilePath.split(path).name.hasPrefix(".") {
      leave(path, UnusableName.note)
    }
    var sidecars = TakeoutSidecars(in: listing)
    func halves(_ kind: HalfKind) -> [LooseHalf] {
      listing.halves(kind: kind).compactMap { name in
        guard !name.hasPrefix("."), !isRender(name, kind, in: listing) else { return nil }
        do throws(EditError) {
          return try LooseHalf(name, kind: kind, in: listing, sidecar: sidecars.sidecar(of: name))
        } catch {
          leave(error.file ?? listing.path(name), error.problem)
          return nil
        }
      }
    }
    return (halves(.photo), halves(.movie))
  }

  /// True for a render whose original is there: a photo, or the movie of an asset without one.
  private static func isRender(_ name: String, _ kind: HalfKind, in listing: FolderListing) -> Bool {
    let stem = RenderNames.Parts(name).stem
    guard let original = RenderNames.originalStem(ofRender: stem) else { return false }
    if listing.isWholeName(original), !listing.adjustments(stem: original).isEmpty { return true }
    if !listing.halves(stem: original, kind: .photo).isEmpty { return true }
    return kind == .movie && listing.halves(stem: stem, kind: .photo).isEmpty
      && !listing.halves(stem: original, kind: .movie).isEmpty
  }
}
