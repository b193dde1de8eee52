public import Basics
import EditLibrary
public import EditModel
import FileSystem
import LivePhotoFormat

public import struct FoundationEssentials.URL

/// The files from which a Live Photo is created.
///
///     let sources = CreationSources.files(
///       photo: URL(filePath: "cover.png"), movie: URL(filePath: "clip.webm"))
public enum CreationSources: Hashable, Sendable {
  /// A photo (JPEG, HEIC, PNG, TIFF or WebP) and a movie in any common format.
  case files(photo: URL, movie: URL)
  /// A movie from which one frame becomes the photo.
  case movie(URL)
  /// A Motion Photo: a photo that contains a movie.
  case motionPhoto(URL)
}

/// A Live Photo that was created.
public struct CreationOutcome: Sendable {
  /// The files of the Live Photo, in the requested folder.
  public var livePhoto: LivePhoto
  /// The identifier that pairs the files.
  public var identifier: String
  /// The photo's time in the movie, in seconds.
  public var stillTime: Double
  /// The metadata that the new files lack.
  public var removals: [Removal]
  /// Further remarks for the user, one sentence each.
  public var notes: [Message]
}

extension LivePhoto {
  /// Creates a Live Photo that is structured like the Live Photos that iPhones take. The sources are not changed.
  ///
  ///     let made = try await LivePhoto.create(
  ///       from: .files(photo: photo, movie: movie), into: folder, converter: InProcessRenderer())
  ///     print(made.livePhoto.movie?.path ?? "", made.stillTime)
  ///
  /// The movie is stored in a QuickTime container. Its frames are copied without re-encoding if phones can play them;
  /// otherwise the movie is re-encoded. The date, location and camera are taken from the half that contains them. The
  /// same sources always produce the same files.
  ///
  /// - Parameters:
  ///   - sources: The files from which the Live Photo is created.
  ///   - stillTime: The photo's time in the given movie, in seconds. If nil, the function finds the frame that is most
  ///     similar to the photo, or uses the middle of the movie if there is no photo.
  ///   - range: The part of the movie to keep, in seconds, or nil to keep the whole movie.
  ///   - folder: The folder for the files, which are named after the photo or the movie. Existing files are not
  ///     overwritten.
  ///   - converter: The converter that decodes and encodes.
  /// - Throws: ``Basics/EditError`` if the Live Photo cannot be created or the task is cancelled. No file is written in
  ///   that case.
  public static func create(
    from sources: CreationSources, stillTime: Double? = nil, range: ClosedRange<Double>? = nil,
    into folder: URL, converter: any MediaConverter
  ) async throws(EditError) -> CreationOutcome {
    try await withWorkerThread(about: nil) { isCancelled throws(EditError) in
      let (photo, movie): (URL?, URL?) =
        switch sources {
        case .files(let photo, let movie): (photo, movie)
        case .movie(let movie): (nil, movie)
        case .motionPhoto(let photo): (photo, nil)
        }
      return try create(
        photo: photo?.filePath, movie: movie?.filePath, stillTime: stillTime, range: range,
        into: folder.filePath, converter: converter, isCancelled: isCancelled)
    }
  }

  /// Creates a Live Photo on the calling thread, which is blocked meanwhile.
  ///
  /// - Parameters:
  ///   - photo: The photo, or a Motion Photo if `movie` is nil.
  ///   - movie: The movie. If there is no photo, one of the movie's frames becomes the photo.
  ///   - stillTime: The photo's time in the given movie, in seconds, or nil to find the time automatically.
  ///   - range: The part of the movie to keep, in seconds, or nil to keep the whole movie.
  ///   - folder: The folder for the files.
  ///   - isTrial: Whether to make the files in a temporary folder without publishing them.
  ///   - converter: The converter that decodes and encodes.
  ///   - isCancelled: Called repeatedly, from any thread. If the function returns true, the work stops.
  /// - Throws: ``Basics/EditError`` if the Live Photo cannot be created. No file is written in that case.
  package static func create(
    photo: String?, movie: String?, stillTime: Double?, range: ClosedRange<Double>?, into folder: String,
    isTrial: Bool = false, converter: any MediaConverter, isCancelled: @escaping @Sendable () -> Bool
  ) throws(EditError) -> CreationOutcome {
    var stem = RenderNames.Parts(FilePath.split(photo ?? movie ?? "").name).stem
    // Google marks Motion Photos with this suffix.
    if movie == nil, stem.hasSuffix(".MP"), stem.count > 3 { stem.removeLast(3) }
    var creation = Creation(
      photo: photo, movie: movie, range: range, converter: converter, isCancelled: isCancelled,
      publisher: try FilePublisher(in: folder, makesFolders: true, stem: stem, isTrial: isTrial), stem: stem,
      stillTime: stillTime, files: SteadyFiles([photo, movie].compactMap { $0 })
    )
    do throws(EditError) {
      return try creation.run()
    } catch {
      let error = creation.files.explained(error)
      throw creation.publisher.named(error, after: creation.source(of: error.file))
    }
  }
}

/// One Live Photo that is being created.
private struct Creation {
  let photo: String?
  let movie: String?
  let range: ClosedRange<Double>?
  let converter: any MediaConverter
  let isCancelled: @Sendable () -> Bool
  let publisher: FilePublisher
  let stem: String
  /// The photo's time in the given movie, in seconds.
  var stillTime: Double?
  /// The files that the user named.
  let files: SteadyFiles
  var removals: [Removal] = []
  var notes: [Message] = []

  /// Returns the user's file from which a file in the hidden folder was made.
  func source(of file: String?) -> String {
    let isOfMovie = ["converted", "shown", "movie"].contains { file == publisher.path($0) }
    return (isOfMovie ? movie ?? photo : photo ?? movie) ?? ""
  }

  mutating func run() throws(EditError) -> CreationOutcome {
    var (photo, movie) = try halves()
    let identifier = try NameBasedUUID.pairIdentifier(
      of: [photo, movie].compactMap { $0 },
      purpose: "create \(stillTime.map { "\($0)" } ?? "") \(range.map { "\($0)" } ?? "")")
    let source = movie
    // If the movie's container is not supported, its metadata is later read from the converted movie.
    var facts = try known(movie) { try CaptureFacts(MovieMetadata(reading: $0)) }
    movie = try prepared(movie)
    let duration = try readFile(movie) { try MovieSummary($0).duration }
    let start = range?.lowerBound ?? 0
    var seconds = stillTime.map { $0 - start }
    if let seconds, seconds < 0 || seconds >= duration {
      throw EditError(
        .invalidEdit, file: source,
        "is too short to contain the range from \(start) s to \(stillTime ?? 0) s",
        remedy: "choose a time within the movie's \((duration * 1000).rounded() / 1000) s")
    }
    let photoName: String
    let picture: String
    if let source = photo {
      (picture, photoName) = try prepared(photo: source)
    } else {
      let marked = try readFile(movie) { try Movie($0).shownStillTime }
      let time = seconds ?? marked ?? duration / 2
      picture = publisher.path("frame")
      seconds = try converter.convert(
        .frame(movie: movie, seconds: time, output: picture), isCancelled: isCancelled
      ).stillTime
      photoName = stem + ".JPG"
      photo = picture
    }
    let place: Double =
      if let seconds {
        seconds
      } else {
        try converter.convert(.stillTime(photo: picture, movie: movie), isCancelled: isCancelled).stillTime
          ?? 0
      }
    let own = try readFile(picture) { try CaptureFacts(Photo($0).metadata()) }
    if facts == nil { facts = try readFile(movie) { try CaptureFacts(MovieMetadata(reading: $0)) } }
    let complete = facts.map { own.completed(by: $0) } ?? own
    let written = try finish(picture, movie, complete, place, identifier, photoName: photoName)
    return CreationOutcome(
      livePhoto: LivePhoto(photoPath: written[0], moviePath: written[1]), identifier: identifier,
      stillTime: place, removals: removals, notes: notes)
  }

  /// Returns the source files. A Motion Photo is split into its halves.
  private mutating func halves() throws(EditError) -> (photo: String?, movie: String) {
    if let movie {
      try checkIsMovie(movie)
      return (photo, movie)
    }
    let files = try MotionPhotoFiles(
      of: photo ?? "", photo: publisher.path("embedding"), movie: publisher.path("embedded"))
    // Some cameras write 0 if the time is unknown, so in that case liveedit searches for the time. A time after the
    // movie's end selects the movie's last frame.
    if stillTime == nil, let time = files.stillTime, time > 0 {
      stillTime = try known(files.movie) { try Movie($0).clamped(time) } ?? time
    }
    return (files.photo, files.movie)
  }

  private func checkIsMovie(_ path: String) throws(EditError) {
    let isPhoto = try readFile(path) { source in
      guard source.count > 0 else { throw MediaError("it is empty", remedy: "copy it again") }
      return try Photo(source).kind != nil || ForeignPhoto(source) != nil
    }
    if isPhoto {
      throw EditError(
        .invalidFile, file: path, "is a photo, but a Live Photo needs a movie", remedy: "name a movie")
    }
  }

  /// Reads a value from a movie, or returns nil if the movie has an unsupported container.
  ///
  /// - Throws: ``EditError`` if the system does not allow the movie to be read.
  private func known<Value>(
    _ movie: String, _ read: (FileByteSource) throws -> Value
  ) throws(EditError) -> Value? {
    do throws(EditError) {
      return try readFile(movie, read)
    } catch {
      if error.code == .fileSystem { throw error }
      return nil
    }
  }

  /// Returns the movie itself if it is a QuickTime movie that phones can play. Otherwise, converts the movie to such a
  /// QuickTime movie.
  private mutating func prepared(_ movie: String) throws(EditError) -> String {
    if range == nil, try known(movie, { try MovieSurgery($0).isReady }) == true { return movie }
    let output = publisher.path("converted")
    let job = MovieConversion(source: movie, output: output, container: .mov, range: range)
    notes += try converter.convert(.movie(job), isCancelled: isCancelled).notes
    // If the original container is not supported, its hidden parts are unknown.
    guard let old = try known(movie, { try Movie($0) }) else { return output }
    let laidOut = try readFile(output) { source -> MovieSurgery? in
      var surgery = try MovieSurgery(source)
      return try surgery.takeLayout(from: old) ? surgery : nil
    }
    guard let laidOut else { return output }
    let shown = publisher.path("shown")
    try changeFile(output, to: shown) { _, sink in try laidOut.write(to: sink) }
    return shown
  }

  /// Returns the photo itself if it is a JPEG or HEIC file. Otherwise, converts the photo to JPEG.
  private mutating func prepared(photo: String) throws(EditError) -> (path: String, name: String) {
    let kind = try readFile(photo) { (try Photo($0).kind, try ForeignPhoto($0)) }
    let old = RenderNames.Parts(FilePath.split(photo).name).fileExtension
    if let own = kind.0, own.isOfLivePhotos {
      return (photo, own.fitting(old.isEmpty ? stem : stem + "." + old))
    }
    guard kind.1 != nil else {
      throw EditError(
        .invalidFile, file: photo, "is not a photo", remedy: "name a JPEG, HEIC, PNG, TIFF or WebP photo")
    }
    let output = publisher.path("picture")
    let made = try converter.convert(.picture(source: photo, output: output), isCancelled: isCancelled)
    notes.append("The photo was encoded as JPEG.")
    notes += made.notes
    return (output, stem + ".JPG")
  }

  /// Pairs the halves and publishes them.
  private mutating func finish(
    _ photo: String, _ movie: String, _ facts: CaptureFacts, _ place: Double, _ identifier: String,
    photoName: String
  ) throws(EditError) -> [String] {
    let isLowerCase = photoName.last?.isLowercase ?? false
    let items = [
      FilePublisher.Item("photo", name: photoName),
      FilePublisher.Item("movie", name: stem + (isLowerCase ? ".mov" : ".MOV")),
    ]
    try publisher.checkFree(items.map(\.name))
    try changeFile(photo, to: publisher.path("photo")) { source, sink in
      removals += try Photo(source).write(
        tiedBy: identifier, replacesNote: true, completing: facts, to: sink)
    }
    if try readFile(publisher.path("photo"), { try Photo($0).hasLittleEndianExif() }) {
      notes.append(
        "The photo's Exif data stays little-endian, because parts of it cannot be converted exactly. Apple's web player, LivePhotosKit JS, does not show such photos."
      )
    }
    try changeFile(movie, to: publisher.path("movie")) { source, sink in
      var surgery = try MovieSurgery(source)
      removals += surgery.removals
      surgery.setQuickTime()
      try surgery.layAtOrigin()
      try surgery.complete(with: facts)
      try surgery.setIdentifier(identifier)
      try surgery.markStill(at: place)
      try surgery.write(to: sink)
    }
    let halves = items.map { item in
      let path = publisher.path(item.member)
      return HalfFiles.Half(path: path, name: item.name, source: source(of: path))
    }
    try HalfFiles(photo: halves[0], movie: halves[1])
      .verify(carrying: identifier, by: converter, isCancelled: isCancelled)
    if isCancelled() { throw EditError(.cancelled, "stopped on request") }
    try files.check()
    return try publisher.publish(items)
  }
}
