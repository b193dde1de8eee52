import Basics
import EditLibrary
import EditModel
import FileSystem
import LivePhotoFormat

/// One export on its way: the halves as they are, stripped, then in the form that is asked for.
struct ExportMaking {
  /// The metadata that the new files do not carry though nobody asked for that.
  private(set) var removals: [Removal] = []
  /// Further remarks.
  private(set) var notes: [String] = []

  /// The halves that are exported.
  let resources: HalfFiles
  let options: ExportOptions
  let publisher: FilePublisher
  let converter: any MediaConverter
  let isCancelled: @Sendable () -> Bool
  /// The halves as they go on: the resources, or stripped copies.
  private(set) var photo: HalfFiles.Half?
  private(set) var movie: HalfFiles.Half?

  /// The stem of the new files.
  private var stem: String { RenderNames.Parts(photo?.name ?? movie?.name ?? "").stem }

  /// The files of the hidden folder that are made of the movie alone.
  private static let madeOfMovie = ["stripped-movie", "movie", "mp4", "preview", "rendered-movie"]

  /// The file that people know, of which one in the hidden folder is made.
  func source(of file: String?) -> String? {
    let isOfMovie = Self.madeOfMovie.contains { member in
      file == publisher.path(member) || file == publisher.path(member + "-frames")
    }
    let (first, other) = isOfMovie ? (resources.movie, resources.photo) : (resources.photo, resources.movie)
    return first?.source ?? other?.source
  }

  /// Makes sure that the halves are there which the form needs.
  func checkHalves() throws(EditError) {
    func missing(_ half: String, _ other: HalfFiles.Half?) -> EditError {
      EditError(
        .pairing, file: other?.source, "has no \(half), which “\(options.form.rawValue)” needs",
        remedy: "name a Live Photo, or export it in another form")
    }
    switch options.form {
    case .still: if photo == nil { throw missing("photo", movie) }
    case .movie, .gif, .webp: if movie == nil { throw missing("movie", photo) }
    case .pair, .motionPhoto, .pvt:
      if photo == nil { throw missing("photo", movie) }
      if movie == nil { throw missing("movie", photo) }
    }
  }

  /// Puts stripped copies in the place of both halves.
  mutating func strip() throws(EditError) {
    guard let what = options.stripping else { return }
    // A pair stays tied, by an identifier that leads to nobody's library.
    let isPair = options.form == .pair || options.form == .pvt
    var identifier: String?
    if what == .all, isPair, let photo, let movie {
      identifier = try NameBasedUUID.pairIdentifier(of: [photo.path, movie.path], purpose: "strip")
    }
    if let photo, options.form != .movie {
      let target = publisher.path("stripped-photo")
      try changeFile(photo.path, to: target) { source, sink in
        removals += try Photo(source).write(without: what, identifier: identifier, to: sink)
      }
      self.photo?.path = target
    }
    if let movie, options.form != .still {
      let target = publisher.path("stripped-movie")
      try changeFile(movie.path, to: target) { source, sink in
        var surgery = try MovieSurgery(source)
        try surgery.strip(what, identifier: identifier)
        try surgery.write(to: sink)
      }
      self.movie?.path = target
    }
  }

  /// Makes the files.
  ///
  /// - Returns: the files and the names that they get, and the folder that they go into together.
  mutating func make() throws(EditError) -> (items: [FilePublisher.Item], bundle: String?) {
    switch options.form {
    case .pair: return (try pair(), nil)
    case .pvt:
      let plist = publisher.path("metadata")
      try whileWriting(plist) { try File.create(plist, bytes: Array(Self.bundleDescription.utf8)) }
      return (try pair() + [FilePublisher.Item("metadata", name: "metadata.plist")], stem + ".pvt")
    case .still: return (try still(), nil)
    case .movie: return (try movieAlone(), nil)
    case .motionPhoto: return (try motionPhoto(), nil)
    case .gif: return (try preview(.gif), nil)
    case .webp: return (try preview(.webp), nil)
    }
  }

  private func pair() throws(EditError) -> [FilePublisher.Item] {
    var items: [FilePublisher.Item] = []
    for (member, half, origin) in [("photo", photo, resources.photo), ("movie", movie, resources.movie)] {
      guard let half else { continue }
      try copyFile(half.path, to: publisher.path(member))
      items.append(FilePublisher.Item(member, name: half.name, origin: origin?.path))
    }
    return items
  }

  private mutating func still() throws(EditError) -> [FilePublisher.Item] {
    guard let photo else { return [] }
    try changeFile(photo.path, to: publisher.path("photo")) { source, sink in
      _ = try Photo(source).write(tiedBy: nil, to: sink)
    }
    if let movie = resources.movie { notes.append("The movie \(movie.name) was left out.") }
    return [FilePublisher.Item("photo", name: photo.name, origin: resources.photo?.path)]
  }

  private mutating func movieAlone() throws(EditError) -> [FilePublisher.Item] {
    guard let movie else { return [] }
    if let photo = resources.photo { notes.append("The photo \(photo.name) was left out.") }
    guard options.container == .mp4 else {
      try changeFile(movie.path, to: publisher.path("movie")) { source, sink in
        var surgery = try MovieSurgery(source)
        try surgery.untie()
        try surgery.write(to: sink)
      }
      return [FilePublisher.Item("movie", name: movie.name, origin: resources.movie?.path)]
    }
    try convert(movie.path, to: "movie")
    return [FilePublisher.Item("movie", name: RenderNames.Parts(movie.name).stem + ".mp4")]
  }

  private mutating func preview(_ kind: PreviewKind) throws(EditError) -> [FilePublisher.Item] {
    guard let movie else { return [] }
    let job = ConversionJob.preview(movie: movie.path, output: publisher.path("preview"), kind: kind)
    notes += try converter.convert(job, isCancelled: isCancelled).notes
    return [FilePublisher.Item("preview", name: RenderNames.Parts(movie.name).stem + "." + kind.rawValue)]
  }

  /// Makes an MP4 file of a movie.
  private mutating func convert(_ path: String, to member: String) throws(EditError) {
    let plain = publisher.path(member + "-frames")
    let job = MovieConversion(source: path, output: plain, container: .mp4)
    notes += try converter.convert(.movie(job), isCancelled: isCancelled).notes
    let whole = try readFile(path) { try Movie($0) }
    try changeFile(plain, to: publisher.path(member)) { source, sink in
      var surgery = try MovieSurgery(source)
      removals += try surgery.takeMetadata(from: whole)
      try surgery.write(to: sink)
    }
  }

  private mutating func motionPhoto() throws(EditError) -> [FilePublisher.Item] {
    guard let photo, let movie else { return [] }
    try convert(movie.path, to: "mp4")
    let embedded = try readFile(publisher.path("mp4")) { $0 }
    let original = resources.movie?.path ?? movie.path
    let stillTime = try readFile(original) { try Movie($0).stillImageTime }
    let untied = publisher.path("untied")
    try changeFile(photo.path, to: untied) { source, sink in
      _ = try Photo(source).write(tiedBy: nil, to: sink)
    }
    try changeFile(untied, to: publisher.path("photo")) { source, sink in
      removals += try MotionPhoto.write(
        photo: Photo(source), movie: embedded, stillTime: stillTime,
        hasSamsungTrailer: options.hasSamsungTrailer, to: sink)
    }
    let parts = RenderNames.Parts(photo.name)
    // “.MP” before the extension is how Google's camera names them.
    return [
      FilePublisher.Item(
        "photo", name: "\(parts.stem).MP.\(parts.fileExtension)", origin: resources.photo?.path)
    ]
  }

  /// Looks for everything private that the originals say in the new files.
  ///
  /// - Throws: ``EditError`` when something is found.
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

  /// Makes sure that the new files can be shown, and that a pair is a valid Live Photo.
  func verify(_ items: [FilePublisher.Item]) throws(EditError) {
    var halves = HalfFiles()
    for item in items {
      let path = publisher.path(item.member)
      let half = HalfFiles.Half(path: path, name: item.name, source: source(of: path) ?? item.name)
      switch item.member {
      case "photo": halves.photo = half
      case "movie": halves.movie = half
      default: break
      }
    }
    if options.form == .motionPhoto {
      // Photo and movie are one file there, and each is looked at alone.
      let movie = publisher.path("mp4")
      let half = HalfFiles.Half(path: movie, name: "", source: source(of: movie) ?? movie)
      try HalfFiles(movie: half).verify(by: converter, isCancelled: isCancelled)
    }
    guard halves.photo != nil || halves.movie != nil else { return }
    try halves.verify(by: converter, isCancelled: isCancelled)
  }

  private static func check(
    _ facts: CaptureFacts, _ software: String?, _ what: PrivateMetadata, _ name: String
  ) throws(EditError) {
    if facts.location != nil { throw left("a place", in: name) }
    if what == .all, let text = facts.make ?? facts.model ?? software ?? facts.created?.text {
      throw left(text, in: name)
    }
  }

  private static func left(_ trace: String, in name: String) -> EditError {
    EditError(
      .unsupported, file: name, "would still say “\(trace)”, in a place that could not be stripped",
      remedy: "report this file, and do not share it")
  }

  /// The property list by which Apple's devices know a bundle: what Photos writes when it shares a Live Photo.
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
