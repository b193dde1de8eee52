import Basics
import EditLibrary
import EditModel
import FileSystem
import LivePhotoFormat

/// One export in progress. The halves are first stripped if requested, and then converted to the requested form.
struct ExportMaking {
  /// The metadata that the new files lack although its removal was not requested.
  private(set) var removals: [Removal] = []
  /// Further remarks for the user.
  private(set) var notes: [Message] = []
  /// The pixel size of the image or video.
  private(set) var size: PixelSize?

  /// The halves to export.
  private(set) var resources: HalfFiles
  /// Whether the photo is a Motion Photo, which is split if the form needs a separate half.
  private(set) var isMotionPhoto: Bool
  /// The path of the Motion Photo that was split.
  private var motionPhotoPath: String?
  /// The format in which a Motion Photo embeds its movie, and the photo's time in the movie in seconds.
  private var embedding: (dialect: MotionPhoto.Dialect, stillTime: Double?)?
  /// The accompanying files for Photos, or nil for other forms.
  let apple: AppleFiles?
  let options: ExportOptions
  let publisher: FilePublisher
  /// The paths of the originals.
  let originals: [String]
  let converter: any MediaConverter
  let isCancelled: @Sendable () -> Bool
  /// The photo to process next: either the exported half or its stripped copy.
  private(set) var photo: HalfFiles.Half?
  private(set) var movie: HalfFiles.Half?

  /// - Parameters:
  ///   - resources: The halves to export.
  ///   - isMotionPhoto: Whether the photo is a Motion Photo.
  ///   - apple: The accompanying files for Photos, or nil for other forms.
  ///   - options: The options of the export.
  ///   - publisher: The publisher that gives the files their names.
  ///   - originals: The paths of the originals.
  ///   - converter: The converter that decodes and encodes.
  ///   - isCancelled: Called repeatedly, from any thread, to find out whether to stop.
  init(
    _ resources: HalfFiles, isMotionPhoto: Bool, apple: AppleFiles?, _ options: ExportOptions,
    _ publisher: FilePublisher, originals: [String], converter: any MediaConverter,
    isCancelled: @escaping @Sendable () -> Bool
  ) {
    (self.resources, self.isMotionPhoto, self.apple) = (resources, isMotionPhoto, apple)
    (self.options, self.publisher, self.originals) = (options, publisher, originals)
    (self.converter, self.isCancelled) = (converter, isCancelled)
    (photo, movie) = (resources.photo, resources.movie)
  }

  /// The members of the hidden folder that are made from the movie alone.
  private static let madeOfMovie = ["stripped-movie", "movie", "mp4", "preview", "rendered-movie"]

  /// Returns the files that are read to export the halves and their accompanying files.
  static func sources(_ resources: HalfFiles, _ apple: AppleFiles?) -> [String] {
    let halves = [apple?.originals.photo, apple?.originals.movie, resources.photo, resources.movie]
    return halves.compactMap { $0?.source } + (apple?.sidecars ?? [])
  }

  /// The files that were read. A Motion Photo that was split is listed once, because it contains both halves.
  var sources: [String] {
    Self.sources(embedding == nil ? resources : HalfFiles(photo: resources.photo), apple)
  }

  /// Returns the user's file from which a file in the hidden folder was made.
  func source(of file: String?) -> String? {
    for (member, original) in originalMembers where file == publisher.path(member) { return original.source }
    let isOfMovie = Self.madeOfMovie.contains { member in
      file == publisher.path(member) || file == publisher.path(member + "-frames")
    }
    let (first, other) = isOfMovie ? (resources.movie, resources.photo) : (resources.photo, resources.movie)
    return first?.source ?? other?.source
  }

  /// The originals that are exported together with the render, by their member names in the hidden folder.
  private var originalMembers: [(member: String, half: HalfFiles.Half)] {
    [("original-photo", apple?.originals.photo), ("original-movie", apple?.originals.movie)].compactMap {
      member, half in half.map { (member, $0) }
    }
  }

  /// Adds the remarks about a movie that was rendered for the export.
  mutating func note(_ result: RenderResult) {
    removals += result.removals
    notes += result.notes
  }

  /// Checks that the halves that the form needs are present.
  func checkHalves() throws(EditError) {
    func missing(_ half: HalfKind, _ other: HalfFiles.Half?) -> EditError {
      EditError(
        .pairing, file: other?.source,
        half == .photo
          ? "has no photo, which the form “\(options.form.rawValue)” requires"
          : "has no movie, which the form “\(options.form.rawValue)” requires",
        remedy: "name a Live Photo, or choose another form")
    }
    switch options.form {
    case .still: if photo == nil { throw missing(.photo, movie) }
    case .movie, .gif, .webp, .video: if movie == nil, !isMotionPhoto { throw missing(.movie, photo) }
    case .image: break
    case .apple:
      // The original is exported unchanged, so stripping and name patterns are not supported.
      guard options.stripping == nil, options.name == nil else {
        throw EditError(
          .unsupported, file: sources.first,
          "cannot be exported for Photos with its metadata stripped or under a name pattern",
          remedy: "leave both options out, or choose another form")
      }
    case .pair where isMotionPhoto, .pvt where isMotionPhoto:
      throw EditError(
        .pairing, file: photo?.source,
        "is a Motion Photo, which cannot be exported as “\(options.form.rawValue)”",
        remedy: "convert it to a Live Photo with liveedit create --from")
    case .motionPhoto where isMotionPhoto: break
    case .pair, .motionPhoto, .pvt:
      if photo == nil { throw missing(.photo, movie) }
      if movie == nil { throw missing(.movie, photo) }
    }
  }

  /// Splits a Motion Photo, so that its halves are exported like the halves of a Live Photo.
  mutating func takeApart() throws(EditError) {
    guard isMotionPhoto, options.form != .apple, let whole = photo else { return try takeOutMovies() }
    isMotionPhoto = try MotionPhotoFiles.isMotionPhoto(whole.path)
    // A version that was rendered again without its movie is no longer a Motion Photo.
    guard isMotionPhoto else {
      try checkHalves()
      return try takeOutMovies()
    }
    let files = try MotionPhotoFiles(
      of: whole.path, photo: publisher.path("photo-alone"), movie: publisher.path("movie-alone"),
      keepsMakersNames: options.form == .motionPhoto)
    if options.form != .motionPhoto || options.stripping != nil { removals += files.lost }
    embedding = (files.dialect, files.stillTime)
    motionPhotoPath = whole.path
    photo = HalfFiles.Half(path: files.photo, name: whole.name, source: whole.source)
    movie = HalfFiles.Half(path: files.movie, name: "in \(whole.name)", source: whole.source)
    resources = HalfFiles(photo: photo, movie: movie)
    try takeOutMovies()
  }

  /// Removes movies in an unsupported format from the photo if it is exported alone or gets another movie. A pair keeps
  /// such movies unless the pair is stripped.
  private mutating func takeOutMovies() throws(EditError) {
    let isCopied = options.form == .motionPhoto && motionPhotoPath != nil && options.stripping == nil
    guard let half = photo, [.still, .image, .motionPhoto].contains(options.form), !isCopied,
      try readFile(half.path, { try !Photo($0).unknownMovies().isEmpty })
    else { return }
    let target = publisher.path("photo-without-movies")
    try changeFile(half.path, to: target) { source, sink in
      let (rest, lost) = try Photo(source).withoutUnknownMovies()
      try rest.source.copy(0..<rest.source.count, to: sink)
      removals += lost.map { Removal(half: .photo, name: $0, reason: "not part of a still photo") }
    }
    photo?.path = target
  }

  /// Renames a photo that a Live Photo cannot contain, such as a PNG, because a JPEG is made from it.
  mutating func planConversion() throws(EditError) {
    guard let whole = photo, let kind = try kindToConvert(whole.source) else { return }
    photo?.name = PhotoKind.jpeg.fitting(whole.name)
    notes.append("The photo is a \(kind.name), which a Live Photo cannot contain, so it was encoded as JPEG.")
  }

  /// Replaces a photo that a Live Photo cannot contain with a JPEG.
  mutating func convertPhoto() throws(EditError) {
    guard let whole = photo, try kindToConvert(whole.path) != nil else { return }
    let (picture, tied) = (publisher.path("picture"), publisher.path("tied-photo"))
    notes += try converter.convert(.picture(source: whole.path, output: picture), isCancelled: isCancelled)
      .notes
    let identifier = try readFile(whole.path) { try Photo($0).contentIdentifier() }
    try changeFile(picture, to: tied) { source, sink in
      removals += try Photo(source).write(tiedBy: identifier, to: sink)
    }
    photo?.path = tied
  }

  /// Returns the photo's kind if the form requires a Live Photo's photo and this kind is not allowed there. Otherwise
  /// returns nil.
  private func kindToConvert(_ path: String?) throws(EditError) -> PhotoKind? {
    guard [.pair, .pvt, .motionPhoto].contains(options.form), !isMotionPhoto, let path else { return nil }
    return try readFile(path) { source in
      let kind = try Photo(source).kind
      return kind?.isOfLivePhotos == false ? kind : nil
    }
  }

  /// Replaces both halves with stripped copies.
  mutating func strip() throws(EditError) {
    guard let what = options.stripping else { return }
    // The halves stay paired by a new identifier, which cannot be traced to the user's library.
    let isPair = options.form == .pair || options.form == .pvt
    var identifier: String?
    if what == .all, isPair, let photo, let movie {
      identifier = try NameBasedUUID.pairIdentifier(of: [photo.path, movie.path], purpose: "strip")
    }
    if let photo, ![.movie, .video].contains(options.form) {
      let target = publisher.path("stripped-photo")
      try changeFile(photo.path, to: target) { source, sink in
        removals += try Photo(source).write(without: what, identifier: identifier, to: sink)
      }
      self.photo?.path = target
    }
    if let movie, options.form != .still, options.form != .image || photo == nil {
      let target = publisher.path("stripped-movie")
      try changeFile(movie.path, to: target) { source, sink in
        var surgery = try MovieSurgery(source)
        try surgery.strip(what, identifier: identifier)
        removals += surgery.removals
        try surgery.write(to: sink)
      }
      self.movie?.path = target
    }
  }

  /// Writes the files.
  mutating func make() throws(EditError) {
    switch options.form {
    case .pair: try pair()
    case .pvt:
      let plist = publisher.path("metadata")
      try whileWriting(plist) { try File.create(plist, bytes: Array(Self.bundleDescription.utf8)) }
      try pair()
    case .still: try still()
    case .movie: try movieAlone()
    case .motionPhoto: try motionPhoto()
    case .gif: try preview(.gif)
    case .webp: try preview(.webp)
    case .image: try image()
    case .video: try video()
    case .apple: if let apple { try makeApple(apple) }
    }
  }

  private func pair() throws(EditError) {
    for (member, half) in [("photo", photo), ("movie", movie)] {
      if let half { try copyFile(half.path, to: publisher.path(member)) }
    }
  }

  private mutating func still() throws(EditError) {
    guard let photo else { return }
    try changeFile(photo.path, to: publisher.path("photo")) { source, sink in
      removals += try Photo(source).write(tiedBy: nil, to: sink)
    }
    noteLeftOut(movie: resources.movie)
  }

  private mutating func image() throws(EditError) {
    guard let half = photo ?? movie else { return }
    let job = ImageConversion(
      source: half.path, isMovie: photo == nil, output: publisher.path(imageMember), longerSide: options.size,
      format: options.imageFormat, profile: options.profile, quality: options.quality)
    let result = try converter.convert(.image(job), isCancelled: isCancelled)
    size = result.size
    notes += result.notes
    if photo != nil { noteLeftOut(movie: resources.movie) }
  }

  private mutating func video() throws(EditError) {
    guard let movie else { return }
    noteLeftOut(photo: resources.photo)
    let job = VideoConversion(
      source: movie.path, output: frames("movie"), shorterSide: options.size, quality: options.quality)
    try convert(.video(job), to: "movie")
  }

  private mutating func movieAlone() throws(EditError) {
    guard let movie else { return }
    noteLeftOut(photo: resources.photo)
    // The movie in a Motion Photo is already an MP4 file.
    guard options.container == .mp4, embedding == nil else {
      return try changeFile(movie.path, to: publisher.path("movie")) { source, sink in
        var surgery = try MovieSurgery(source)
        removals += surgery.removals
        try surgery.untie()
        try surgery.write(to: sink)
      }
    }
    try convert(.movie(mp4(of: movie, frames("movie"))), to: "movie")
  }

  private mutating func noteLeftOut(photo: HalfFiles.Half? = nil, movie: HalfFiles.Half? = nil) {
    if let photo { notes.append("The photo \(photo.name) was not included.") }
    if let movie { notes.append("The movie \(movie.name) was not included.") }
  }

  private mutating func preview(_ kind: AnimationKind) throws(EditError) {
    guard let movie else { return }
    let job = ConversionJob.preview(movie: movie.path, output: publisher.path("preview"), kind: kind)
    notes += try converter.convert(job, isCancelled: isCancelled).notes
  }

  /// Returns the path of the file that contains an MP4 file's tracks before the metadata is added.
  private func frames(_ member: String) -> String { publisher.path(member + "-frames") }

  private func mp4(of movie: HalfFiles.Half, _ output: String) -> MovieConversion {
    MovieConversion(source: movie.path, output: output, container: .mp4)
  }

  /// Converts a movie to an MP4 file and adds the movie's metadata.
  ///
  /// - Parameters:
  ///   - job: The job that writes the tracks to the file ``frames(_:)``.
  ///   - member: The member name of the MP4 file.
  private mutating func convert(_ job: ConversionJob, to member: String) throws(EditError) {
    let result = try converter.convert(job, isCancelled: isCancelled)
    size = result.size
    notes += result.notes
    let whole = try readFile(job.source) { try Movie($0) }
    try changeFile(frames(member), to: publisher.path(member)) { source, sink in
      var surgery = try MovieSurgery(source)
      removals += try surgery.takeMetadata(from: whole)
      if case .movie = job { _ = try surgery.takeLayout(from: whole) }
      try surgery.write(to: sink, puttingTablesFirst: options.form == .video)
    }
  }

  private mutating func motionPhoto() throws(EditError) {
    guard let photo, let movie else { return }
    if let whole = motionPhotoPath, options.stripping == nil,
      embedding?.dialect.trailer != nil || !options.hasSamsungTrailer
    {
      return try copyFile(whole, to: publisher.path("photo"))
    }
    var dialect = embedding?.dialect ?? MotionPhoto.Dialect()
    // The blocks of the old trailer would reveal the time and country of capture.
    let renewsTrailer = dialect.trailer == nil ? options.hasSamsungTrailer : options.stripping != nil
    if renewsTrailer { dialect.trailer = SamsungTrailer() }
    var (stillTime, path) = (embedding?.stillTime, movie.path)
    if embedding == nil {
      try convert(.movie(mp4(of: movie, frames("mp4"))), to: "mp4")
      let original = resources.movie?.path ?? movie.path
      stillTime = try readFile(original) { try Movie($0).stillImageTime }
      path = publisher.path("mp4")
    }
    let embedded = try readFile(path) { $0 }
    let untied = publisher.path("untied")
    try changeFile(photo.path, to: untied) { source, sink in
      removals += try Photo(source).write(tiedBy: nil, to: sink)
    }
    try changeFile(untied, to: publisher.path("photo")) { source, sink in
      removals += try MotionPhoto.write(
        photo: Photo(source), movie: embedded, stillTime: stillTime, as: dialect, to: sink)
    }
  }

  /// Searches the new files for private metadata from the originals.
  ///
  /// - Throws: ``EditError`` if a new file contains private metadata.
  func prove(_ items: [FilePublisher.Item]) throws(EditError) {
    guard let what = options.stripping else { return }
    var traces = PrivateTraces()
    if let photo = resources.photo { try readFile(photo.path) { try traces.add(Photo($0), what) } }
    if let movie = resources.movie { try readFile(movie.path) { try traces.add(movie: $0, what) } }
    for item in items {
      try readFile(publisher.path(item.member)) { source in
        if let trace = try traces.found(in: source) { throw Self.left(trace, in: item.name) }
        switch item.member {
        case "photo":
          let photo = try Photo(source).metadata()
          try Self.check(CaptureFacts(photo), photo.software, what, item.name)
        case "movie":
          let movie = try MovieMetadata(reading: source)
          try Self.check(CaptureFacts(movie), movie.software, what, item.name)
        default: break
        }
      }
    }
  }

  /// Checks that the new files can be displayed, and that a pair is a valid Live Photo.
  func verify(_ items: [FilePublisher.Item]) throws(EditError) {
    var (halves, whole) = (HalfFiles(), HalfFiles())
    for item in items {
      let path = publisher.path(item.member)
      let half = HalfFiles.Half(path: path, name: item.name, source: source(of: path) ?? item.name)
      switch item.member {
      case "photo": halves.photo = half
      case "movie": halves.movie = half
      case "original-photo": whole.photo = half
      case "original-movie": whole.movie = half
      default: break
      }
    }
    if whole.photo != nil || whole.movie != nil {
      try whole.verify(by: converter, isCancelled: isCancelled)
    }
    guard halves.photo != nil || halves.movie != nil else { return }
    try halves.verify(by: converter, isCancelled: isCancelled)
  }

  private static func check(
    _ facts: CaptureFacts, _ software: String?, _ what: PrivateMetadata, _ name: String
  ) throws(EditError) {
    if facts.location != nil { throw left("a location", in: name) }
    if what == .all, let text = facts.make ?? facts.model ?? software ?? facts.created?.text {
      throw left(text, in: name)
    }
  }

  private static func left(_ trace: String, in name: String) -> EditError {
    EditError(
      .unsupported, file: name,
      "would still contain “\(trace)” in a part of the file that cannot be stripped",
      remedy: "do not share this file, and report it")
  }

  /// The property list by which Apple devices recognise a bundle, as Photos writes it when it shares a Live Photo.
  private static let bundleDescription = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">
    <dict>
    \t<key>PFVideoComplementMetadataVersionKey</key>
    \t<string>1</string>
    </dict>
    </plist>

    """
}
