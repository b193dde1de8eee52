import Basics
import EditLibrary
import EditModel
import FileSystem
import LivePhotoFormat

/// A photo or movie that may be half of a Live Photo, together with the metadata from its headers and sidecar that
/// helps to find its other half.
struct LooseHalf: Sendable {
  let path: String
  /// The folder of the file, as the user named it.
  let folder: String
  let kind: HalfKind
  /// The file's name without its extension.
  let stem: String
  /// The parsed forms of the name and of the name before Google Takeout changed it.
  let names: [NameForm]
  /// The identifier that pairs the file with its other half.
  var identifier: String?
  /// The capture date in the file's own metadata.
  var created: CaptureDate?
  var model: String?
  var location: GeoLocation?
  /// The capture date and location in the file's own metadata, without the sidecar.
  let facts: HalfFacts
  /// The kind of photo, or nil for a movie.
  var photoKind: PhotoKind?
  /// The duration of a movie in seconds.
  var duration: Double?
  /// Whether the file is a movie that marks the photo's time.
  var marksPhoto = false
  /// The metadata in the sidecar from Google Takeout.
  var sidecar: TakeoutSidecar?
  /// The size of the file in bytes.
  let size: Int

  /// The file's name.
  var name: String { FilePath.split(path).name }
  /// The parsed form of the file's name.
  var form: NameForm { names[0] }

  /// Reads a file's headers.
  ///
  /// - Throws: ``Basics/EditError`` if the headers cannot be read.
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
      // A damaged movie is treated like a movie that does not mark the photo's time.
      marksPhoto = try ifSound(path) { try Movie(source).stillImageTime } != nil
    }
    facts = HalfFacts(created: created, location: location)
    location = location ?? sidecar?.location
  }

  /// The local time of capture, in milliseconds since 1970 on the local clock, or nil if the file does not contain a
  /// local time.
  var wallClock: Int? { created.flatMap { $0.source == .movieHeader ? nil : $0.wallClock } }

  /// The instant of capture in milliseconds since 1970 UTC, from the file's own metadata or else from its sidecar. The
  /// value is nil if no time zone is known. The time in a movie's header is used only if no other time exists.
  var instant: Int? {
    if let created, created.offset != nil, created.source != .movieHeader { return created.instant }
    return sidecar?.taken ?? (isHeaderAlone ? created?.instant : nil)
  }

  /// Whether the only known time is the time in a movie's header, which may be the time at which the file was copied.
  var isHeaderAlone: Bool { created?.source == .movieHeader && sidecar?.taken == nil }
}

extension LooseHalf {
  /// Returns the photos and movies in a folder, without hidden files and without renders whose originals exist.
  ///
  /// - Parameters:
  ///   - listing: The listing of the folder.
  ///   - leave: Receives each file that cannot be read, with a clause that states the reason.
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

  /// Returns whether the file is a render whose original exists: a rendered photo, or the rendered movie of an asset
  /// without a photo.
  private static func isRender(_ name: String, _ kind: HalfKind, in listing: FolderListing) -> Bool {
    let stem = RenderNames.Parts(name).stem
    guard let original = RenderNames.originalStem(ofRender: stem) else { return false }
    if listing.isWholeName(original), !listing.adjustments(stem: original).isEmpty { return true }
    if !listing.halves(stem: original, kind: .photo).isEmpty { return true }
    return kind == .movie && listing.halves(stem: stem, kind: .photo).isEmpty
      && !listing.halves(stem: original, kind: .movie).isEmpty
  }
}
