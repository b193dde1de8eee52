import Basics
import EditLibrary
import EditModel
import FileSystem
import LivePhotoFormat

/// A contact sheet of the current versions. For one Live Photo, the sheet shows the movie's frames in order, with the
/// photo at its time in the movie. For several assets, the sheet shows one picture of each asset.
package struct ContactSheet: Sendable {
  /// The captions of the pictures. The pictures themselves are made later.
  package private(set) var cells: [SheetConversion.Cell] = []
  /// The file and time that each picture shows.
  private(set) var sources: [SheetPictures.Source] = []
  /// The lines of text at the top.
  package private(set) var title: [String] = []

  /// For each picture, the asset and the files of its current version.
  private var assets: [(facts: IndexedAsset, files: [FileRole: String])] = []
  private let layout: LibraryLayout

  /// The maximum number of frames on a sheet of one movie. Together with the photo, they fill three rows.
  private static let frames = 11
  private static let columnsOfFrames = 4
  private static let sideOfFrames = 320
  private static let columnsOfAssets = 4...8
  private static let sideOfAssets = 240

  /// Whether the sheet shows the frames of one asset.
  var isOfOneAsset: Bool { assets.count == 1 }

  /// - Parameter layout: The layout of the library, which determines where the renders are stored.
  package init(layout: LibraryLayout) { self.layout = layout }

  /// Adds an asset.
  ///
  /// - Parameters:
  ///   - asset: The originals.
  ///   - facts: The asset's entry in its folder's index.
  /// - Throws: ``EditError`` if the files of the asset's current version are lost.
  package mutating func add(_ asset: OriginalFiles, _ facts: IndexedAsset) throws(EditError) {
    let files = try Self.files(of: asset, layout)
    guard let path = files[.photo] ?? files[.movie] else {
      throw EditError(
        .notFound, file: asset.path(asset.stem), "has lost the files of its current version",
        remedy: "run liveedit check --repair on the folder")
    }
    let date = facts.metadata.created.map { Self.minutes($0.text) }
    sources.append(SheetPictures.Source(path: path, seconds: files[.photo] == nil ? 0 : nil))
    cells.append(
      SheetConversion.Cell(caption: [facts.name, date ?? ""], badges: Self.badges(facts)))
    assets.append((facts, files))
  }

  /// Completes the sheet. A sheet of a single asset with a movie shows the movie's frames.
  ///
  /// - Parameters:
  ///   - format: The file format.
  ///   - pictures: The path of the file that contains all pictures.
  ///   - output: The path of the file to write.
  /// - Returns: The job for the converter, without the pictures.
  /// - Throws: ``EditError`` if the movie cannot be read.
  mutating func finish(
    _ format: ImageConversion.Format, pictures: String, to output: String
  ) throws(EditError) -> SheetConversion {
    guard assets.count == 1, let (facts, files) = assets.first else {
      let dates = assets.compactMap { $0.facts.metadata.created.map { String($0.text.prefix(10)) } }.sorted()
      title = ["\(assets.count) photos and movies"]
      if let first = dates.first, let last = dates.last {
        title.append(first == last ? first : "\(first) – \(last)")
      }
      var columns = Self.columnsOfAssets.lowerBound
      while columns * columns < cells.count, columns < Self.columnsOfAssets.upperBound { columns += 1 }
      return SheetConversion(
        title: title, pictures: pictures, cells: cells, columns: min(columns, max(cells.count, 1)),
        side: Self.sideOfAssets,
        format: format, output: output)
    }
    var about = [facts.metadata.created.map { Self.minutes($0.text) }, facts.metadata.model].compactMap { $0 }
    let source = EditSource(files: files)
    if try source.hasMovie, let movie = files[.movie] ?? files[.photo] {
      let (times, length, still) = try source.withMovie { movie in
        (try movie.shownFrames.map(\.seconds), try movie.shownSeconds, movie.stillImageTime)
      }
      about += ["\(Self.hundredths(length)) s", "\(times.count) frames"]
      (sources, cells) = Self.frames(of: movie, times, photo: files[.photo], at: still)
      guard !cells.isEmpty else {
        throw EditError(.invalidFile, file: movie, "its video track has no frames")
      }
    }
    title = [facts.name, (about + Self.badges(facts)).joined(separator: " · ")]
    return SheetConversion(
      title: title, pictures: pictures, cells: cells, columns: min(Self.columnsOfFrames, cells.count),
      side: Self.sideOfFrames,
      format: format, output: output)
  }

  /// Returns evenly spaced frames from the movie's first frame to its last frame, with the photo inserted at its time
  /// in the movie.
  private static func frames(
    of movie: String, _ times: [Double], photo: String?, at still: Double?
  ) -> ([SheetPictures.Source], [SheetConversion.Cell]) {
    let count = min(frames, times.count)
    let shown = (0..<count).map { times[count > 1 ? $0 * (times.count - 1) / (count - 1) : 0] }
    var sources = shown.map { SheetPictures.Source(path: movie, seconds: $0) }
    var cells = shown.map { SheetConversion.Cell(caption: ["\(hundredths($0)) s"]) }
    guard let photo else { return (sources, cells) }
    let caption = still.map { "photo · \(hundredths($0)) s" } ?? "photo"
    let place = still.map { still in shown.firstIndex { $0 > still } ?? count } ?? 0
    sources.insert(SheetPictures.Source(path: photo), at: place)
    cells.insert(SheetConversion.Cell(caption: [caption], isMarked: true), at: place)
    return (sources, cells)
  }

  /// Returns the files of an asset's current version by role, or the original files if the version has no render.
  private static func files(
    of asset: OriginalFiles, _ layout: LibraryLayout
  ) throws(EditError) -> [FileRole: String] {
    try Library.reading(asset.folder, layout: layout) { library throws(EditError) in
      let record = try library.state(of: asset, hashesOriginals: false, isReading: true).record
      let number = record.shown
      let version = record.version(number)
      let files = version?.hasRender == true ? version?.files ?? [] : record.originals
      var paths: [FileRole: String] = [:]
      for file in files where file.role.isHalf {
        paths[file.role] = library.path(
          of: file, version: version?.hasRender == true ? number : 0, in: record)
      }
      return paths
    }
  }

  private static func badges(_ asset: IndexedAsset) -> [String] {
    let metadata = asset.metadata
    var badges: [String] = []
    switch metadata.kind {
    case .live: badges.append("LIVE")
    case .movie: badges.append("MOVIE" + (metadata.duration.map { " \(hundredths($0)) s" } ?? ""))
    case .photo: break
    }
    if metadata.isEdited { badges.append("EDITED") }
    if asset.isFavourite { badges.append("♥") }
    let words: [AssetSubtype: String] = [
      .hdr: "HDR", .panorama: "PANORAMA", .screenshot: "SCREENSHOT", .burst: "BURST",
      .slowMotion: "SLO-MO", .portrait: "PORTRAIT", .timeLapse: "TIME-LAPSE", .motionPhoto: "MOTION PHOTO",
    ]
    return badges + metadata.subtypes.compactMap { words[$0] }.sorted()
  }

  /// Shortens a date to the minute, without its time zone: `2024-05-26 09:27`.
  private static func minutes(_ text: String) -> String { String(text.prefix(16).replacing("T", with: " ")) }

  private static func hundredths(_ seconds: Double) -> String {
    let count = Int((min(max(seconds, 0), 1e6) * 100).rounded())
    return "\(count / 100).\(String(100 + count % 100).dropFirst())"
  }
}
