import Basics
import EditLibrary
import EditModel
import EmbeddedFiles
import FileSystem
import FoundationEssentials
import LivePhotoFormat

/// The options of a share page.
///
///     let options = SharePageOptions(size: 2048, stripping: .all)
public struct SharePageOptions: Hashable, Sendable {
  /// The maximum width and height of a picture in pixels.
  public var size: Int
  /// The private metadata to omit from the embedded files and the captions, or nil to keep all metadata.
  public var stripping: LivePhotoFormat.PrivateMetadata?

  /// - Parameters:
  ///   - size: The maximum width and height of a picture in pixels.
  ///   - stripping: The private metadata to omit, or nil to keep all metadata.
  public init(size: Int = 1600, stripping: LivePhotoFormat.PrivateMetadata? = .location) {
    (self.size, self.stripping) = (size, stripping)
  }
}

/// A page for sharing: one HTML file that contains the pictures and movies of some assets. Any browser can display the
/// page without loading other files. The page shows the current versions, and for edited pictures also the original.
package struct SharePage {
  /// An asset on the page.
  package struct Part: Hashable, Sendable {
    /// The name of the asset's photo, or of its movie if there is no photo.
    package var name: String
    /// The asset's size within the page in bytes.
    package var bytes: Int
    /// Whether the page plays a movie of the asset.
    package var hasMovie: Bool
    /// Whether the page also contains the picture before the edit.
    package var isEdited: Bool
  }

  /// The assets on the page.
  package private(set) var parts: [Part] = []

  private var dates: [String] = []
  private let options: SharePageOptions
  private let renderer: any Renderer & MediaConverter
  private let exporter: Exporter
  private let isCancelled: @Sendable () -> Bool
  private let scratch: ScratchFolder
  /// The file that collects the HTML of all assets in sequence.
  private let pieces: FileByteSink

  /// The maximum height of a movie in lines.
  private static let movieLines = 720
  /// The maximum size of an embedded file in bytes. Its data URL is a third longer, and browsers reject longer URLs.
  private static let largestFile = 128 << 20

  private static func file(_ name: String) -> [UInt8] { EmbeddedFiles.bytes("preview/" + name) ?? [] }

  private static let asset = PageTemplate(file("preview-asset.html"))

  /// Creates a page without assets.
  ///
  /// - Parameters:
  ///   - options: The options of the page.
  ///   - renderer: The renderer that makes pictures and movies.
  ///   - layout: The layout of the library, which determines where the renders are stored.
  ///   - isCancelled: Called repeatedly, from any thread. If the function returns true, the work stops.
  /// - Throws: ``EditError`` if no folder for temporary files is available.
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
  ///   - asset: The originals.
  ///   - facts: The asset's entry in its folder's index.
  /// - Returns: The asset as it was added to the page.
  /// - Throws: ``EditError`` if the asset cannot be added. The page is unchanged in that case.
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
  /// - Parameter output: The path of the file to write, which must not exist.
  /// - Returns: The size of the file in bytes.
  /// - Throws: ``EditError`` if the page cannot be written.
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
    // The frame of the page is split at this mark, so that the assets' HTML never needs to be in memory at once.
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

  /// Returns the movie in a photo's file, or nil if the file contains no movie.
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
          "is too large for an HTML page: it would need \(Message.size(source.count))",
          remedy: "leave it out or trim it first")
      }
      return try source.read(at: 0, count: source.count)
    }
  }

  private static func base64(_ bytes: [UInt8]) -> [UInt8] { Array(Data(bytes).base64EncodedData()) }
}
