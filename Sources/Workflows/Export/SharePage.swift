import Basics
import EditLibrary
import EditModel
import EmbeddedFiles
import FileSystem
import FoundationEssentials
import LivePhotoFormat

/// The options of a page to send.
///
///     let options = SharePageOptions(size: 2048, stripping: .all)
public struct SharePageOptions: Hashable, Sendable {
  /// Pixels of a picture's longer side at most.
  public var size: Int
  /// The private metadata that neither the embedded files nor the captions tell; nil leaves it in.
  public var stripping: LivePhotoFormat.PrivateMetadata?

  /// - Parameters:
  ///   - size: pixels of a picture's longer side at most.
  ///   - stripping: the private metadata that is taken out; nil for none.
  public init(size: Int = 1600, stripping: LivePhotoFormat.PrivateMetadata? = .location) {
    (self.size, self.stripping) = (size, stripping)
  }
}

/// A page to send: one HTML file that has the pictures and movies of some assets in it, shows them in any browser, and asks
/// for nothing from anywhere. The current versions are shown, and edited pictures as they were before, too.
package struct SharePage {
  /// An asset that is on the page.
  package struct Part: Hashable, Sendable {
    /// The name of its photo, or else of its movie.
    package var name: String
    /// Bytes that it takes in the page.
    package var bytes: Int
    /// True if there is a movie that the page plays.
    package var hasMovie: Bool
    /// True if the picture before the edit is there as well.
    package var isEdited: Bool
  }

  /// The assets that are on the page.
  package private(set) var parts: [Part] = []

  private var dates: [String] = []
  private let options: SharePageOptions
  private let renderer: any Renderer & MediaConverter
  private let exporter: Exporter
  private let isCancelled: @Sendable () -> Bool
  private let scratch: ScratchFolder
  /// The pieces of HTML of all assets, one after the other.
  private let pieces: FileByteSink

  /// Lines of a movie at most.
  private static let movieLines = 720
  /// Bytes of one embedded file at most. Browsers give up on longer addresses of data, which are a third longer.
  private static let largestFile = 128 << 20

  private static func file(_ name: String) -> [UInt8] { EmbeddedFiles.bytes("preview/" + name) ?? [] }

  private static let asset = PageTemplate(file("preview-asset.html"))

  /// Begins a page without assets.
  ///
  /// - Parameters:
  ///   - options: how.
  ///   - renderer: makes pictures and movies.
  ///   - layout: the place of the renders.
  ///   - isCancelled: asked now and then, from any thread; true stops the work.
  /// - Throws: ``EditError`` when there is no folder for temporary files.
  package init(
    _ options: SharePageOptions, renderer: any Renderer & MediaConverter, layout: LibraryLayout,
    isCancelled: @escaping @Sendable () -> Bool
  ) throws(EditError) {
    (self.options, self.renderer, self.isCancelled) = (options, renderer, isCancelled)
    exporter = Exporter(renderer: renderer, layout: layout, isCancelled: isCancelled)
    let scratch = try ScratchFolder()
    self.scratch = scratch
    let path = scratch.file("pieces")
    pieces = try whileWriting(path) { try FileByteSink(path: path) }
  }

  /// Adds an asset.
  ///
  /// - Parameters:
  ///   - asset: the originals.
  ///   - facts: the asset as its folder's index knows it.
  /// - Returns: what is on the page now.
  /// - Throws: ``EditError``; the asset is not on the page then.
  package mutating func add(_ asset: OriginalFiles, _ facts: IndexedAsset) throws(EditError) -> Part {
    let files = try ScratchFolder()
    let shown = try exporter.currentVersion(of: asset)
    let (now, size) = try picture(of: asset, version: nil, into: files.file("now"))
    let before =
      shown.number == 0
      ? nil : try picture(of: asset, version: 0, into: files.file("before")).bytes
    var movie: [UInt8]?
    if shown.roles.contains(.movie) {
      movie = try self.movie(of: asset, exporter, into: files.file("movie"))
    } else if let photo = ScreenMediaMaker.currentFiles(of: facts).photo {
      movie = try movieInside(photo, files)
    }
    let embedded = [now, before, movie].compactMap(\.self).reduce(0) { $0 + ($1.count + 2) / 3 * 4 }
    let captions = SharePageCaptions(
      facts, isMotionPhoto: movie != nil && facts.movie == nil, options.stripping)
    var values = captions.values
    values["now"] = .bytes(Self.base64(now))
    values["before"] = before.map { .bytes(Self.base64($0)) }
    values["movie"] = movie.map { .bytes(Self.base64($0)) }
    if movie == nil { values["badge"] = nil }
    values["width"] = .text(String(size?.width ?? 0))
    values["height"] = .text(String(size?.height ?? 0))
    values["size"] = .text(Message.size(embedded).description)
    let html = Self.asset.filled(values)
    try whileWriting(scratch.file("pieces")) { try pieces.write(html) }
    if let day = captions.day { dates.append(day) }
    let part = Part(
      name: facts.name, bytes: html.count, hasMovie: movie != nil, isEdited: before != nil)
    parts.append(part)
    return part
  }

  /// Writes the page.
  ///
  /// - Parameter output: the file to write, a name that nothing has.
  /// - Returns: its bytes.
  /// - Throws: ``EditError``.
  package func write(to output: String) throws(EditError) -> Int {
    let path = scratch.file("pieces")
    try whileWriting(path) { try pieces.flush() }
    let (style, script) = (Self.file("preview.css"), Self.file("preview.js"))
    let isOne = parts.count == 1
    let days = Set(dates).sorted()
    let title = isOne ? parts[0].name : "\(parts.count) photos and movies"
    let total = parts.map(\.bytes).reduce(0, +) + style.count + script.count
    let period =
      days.count > 1 ? "\(days[0]) – \(days[days.count - 1])" : days.first
    var values: [String: PageTemplate.Value] = [
      "title": .text(title), "version": .text(LiveEditVersion.current),
      "about": .text([period, "\(Message.size(total)) in all"].compactMap { $0 }.joined(separator: " · ")),
      "style": .bytes(style), "script": .bytes(script),
      "styleHash": .bytes(Self.base64(try Digest.of(style, .sha256))),
      "scriptHash": .bytes(Self.base64(try Digest.of(script, .sha256))),
    ]
    if parts.contains(where: \.hasMovie) || parts.contains(where: \.isEdited) { values["plays"] = .text("") }
    if parts.contains(where: \.isEdited) { values["compares"] = .text("") }
    // The page around the assets, whose pieces are never in memory together.
    let mark = Array("<!--assets-->".utf8)
    values["assets"] = .bytes(mark)
    let page = PageTemplate(Self.file("preview.html")).filled(values)
    let halves = page.firstRange(of: mark).map { (page[..<$0.lowerBound], page[$0.upperBound...]) }
    let (head, foot) = halves ?? (page[...], [])
    var bytes = head.count + foot.count
    try changeFile(path, to: output) { source, sink in
      bytes += source.count
      try sink.write(Array(head))
      for at in stride(from: 0, to: source.count, by: 1 << 20) {
        try sink.write(source.read(at: at, count: min(1 << 20, source.count - at)))
      }
      try sink.write(Array(foot))
    }
    return bytes
  }

  private func picture(
    of asset: OriginalFiles, version: Int?, into folder: String
  ) throws(EditError) -> (bytes: [UInt8], size: PixelSize?) {
    let made = try exporter.export(
      asset, ExportOptions(.image, version: version, stripping: options.stripping, size: options.size),
      into: folder)
    return (try Self.bytes(of: made, asset), made.size)
  }

  private func movie(
    of asset: OriginalFiles, _ exporter: Exporter, into folder: String
  ) throws(EditError) -> [UInt8] {
    let made = try exporter.export(
      asset, ExportOptions(.video, stripping: options.stripping, size: Self.movieLines), into: folder)
    return try Self.bytes(of: made, asset)
  }

  /// The movie in a photo's file; nil where there is none.
  private func movieInside(_ photo: String, _ files: ScratchFolder) throws(EditError) -> [UInt8]? {
    guard try MotionPhotoFiles.isMotionPhoto(photo) else { return nil }
    let alone = files.file("inside.mp4")
    _ = try MotionPhotoFiles(of: photo, photo: files.file("outside"), movie: alone)
    var locator = AssetLocator(layout: .besideOriginals)
    do throws(EditError) {
      let exporter = Exporter(renderer: renderer, isCancelled: isCancelled)
      return try movie(of: locator.locate(alone), exporter, into: files.file("movie"))
    } catch {
      var error = error
      if error.file == alone { error.file = photo }
      throw error
    }
  }

  private static func bytes(of made: ExportOutcome, _ asset: OriginalFiles) throws(EditError) -> [UInt8] {
    guard let path = made.writtenPaths.first else { return [] }
    return try readFile(path) { source in
      guard source.count <= largestFile else {
        throw EditError(
          .unsupported, file: asset.path(asset.photo ?? asset.movie ?? asset.stem),
          "is too large for a page: it needs \(Message.size(source.count)) there",
          remedy: "leave it out or trim it first")
      }
      return try source.read(at: 0, count: source.count)
    }
  }

  private static func base64(_ bytes: [UInt8]) -> [UInt8] { Array(Data(bytes).base64EncodedData()) }
}
