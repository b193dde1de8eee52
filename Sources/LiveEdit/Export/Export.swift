import Basics
public import EditLibrary
public import EditModel
public import LivePhotoFormat

public import struct FoundationEssentials.URL

/// The form in which a Live Photo is handed on.
public enum ExportForm: String, CaseIterable, Sendable {
  /// The photo and the movie.
  case pair
  /// The photo alone, tied to nothing.
  case still
  /// The movie alone, tied to nothing.
  case movie
  /// One file that every program takes for a photo, and that holds the movie for Android's galleries.
  case motionPhoto = "motion-photo"
  /// A folder with both, which Apple's devices take as one Live Photo.
  case pvt
  /// A small animation that plays again and again, without sound, as GIF.
  case gif
  /// The same as WebP.
  case webp
}

/// The options of an export.
///
///     let options = ExportOptions(.still, stripping: .all)
public struct ExportOptions: Hashable, Sendable {
  /// The form in which it is handed on.
  public var form: ExportForm
  /// The version: 0 is the original; nil is the current one.
  public var version: Int?
  /// The private metadata that is taken out of everything; nil for none.
  public var stripping: PrivateMetadata?
  /// The container of a movie alone.
  public var container: MovieConversion.Container
  /// True if a Motion Photo gets the trailer that Samsung's phones look for.
  public var hasSamsungTrailer: Bool

  /// - Parameters:
  ///   - form: the form in which it is handed on.
  ///   - version: the version: 0 is the original; nil is the current one.
  ///   - stripping: the private metadata that is taken out; nil for none.
  ///   - container: the container of a movie alone.
  ///   - hasSamsungTrailer: whether a Motion Photo gets Samsung's trailer.
  public init(
    _ form: ExportForm, version: Int? = nil, stripping: PrivateMetadata? = nil,
    container: MovieConversion.Container = .mov, hasSamsungTrailer: Bool = false
  ) {
    self.form = form
    self.version = version
    self.stripping = stripping
    self.container = container
    self.hasSamsungTrailer = hasSamsungTrailer
  }
}

/// The result of an export.
public struct ExportOutcome: Sendable {
  /// The files that were read.
  public var sources: [URL] { sourcePaths.map { URL(file: $0) } }
  /// The new files; of a bundle its folder.
  public var written: [URL] { writtenPaths.map { URL(file: $0) } }
  /// Paths of the files that were read.
  package var sourcePaths: [String]
  /// Paths of the new files; of a bundle its folder.
  package var writtenPaths: [String]
  /// The metadata that the new files do not carry though nobody asked for that.
  public var removals: [Removal]
  /// Further remarks, one sentence each.
  public var notes: [String]
}

extension PhotoLibrary {
  /// Exports an asset into another folder. The asset and its versions stay as they are.
  ///
  ///     let handedOn = try await library.export(asset, ExportOptions(.still, stripping: .all), into: folder)
  ///     print(handedOn.written.map(\.lastPathComponent), handedOn.notes)
  ///
  /// - Parameters:
  ///   - asset: the asset.
  ///   - options: how.
  ///   - folder: where the new files go. Nothing there is overwritten.
  /// - Throws: ``Basics/EditError``, also when the task is cancelled or the library's renderer converts no movies;
  ///   nothing is written then.
  public func export(
    _ asset: Asset, _ options: ExportOptions, into folder: URL
  ) async throws(EditError) -> ExportOutcome {
    guard let renderer = renderer as? any Renderer & MediaConverter else {
      throw EditError(
        .unsupported, file: asset.path, "cannot be exported: the library's renderer converts no movies",
        remedy: "open the library with HelperRenderer or InProcessRenderer")
    }
    return try await withWorkerThread(about: asset.path) { isCancelled throws(EditError) in
      var locator = AssetLocator(layout: self.layout)
      return try Exporter(renderer: renderer, layout: self.layout, isCancelled: isCancelled).export(
        locator.locate(asset.path), options, into: folder.filePath)
    }
  }
}

/// Exports assets into another folder. The assets and their library stay as they are.
package struct Exporter {
  private let renderer: any Renderer & MediaConverter
  private let layout: LibraryLayout
  private let isCancelled: @Sendable () -> Bool

  /// - Parameters:
  ///   - renderer: renders versions again and converts movies.
  ///   - layout: the place of the renders.
  ///   - isCancelled: asked now and then, from any thread; true stops the export.
  package init(
    renderer: any Renderer & MediaConverter, layout: LibraryLayout = .besideOriginals,
    isCancelled: @escaping @Sendable () -> Bool = { false }
  ) {
    self.renderer = renderer
    self.layout = layout
    self.isCancelled = isCancelled
  }

  /// Exports an asset.
  ///
  /// - Parameters:
  ///   - asset: the originals, see `AssetLocator`.
  ///   - options: how.
  ///   - folder: where the new files go. Nothing there is overwritten.
  ///   - isTrial: true to make them in a temporary folder, and not to put them there.
  /// - Throws: ``Basics/EditError``; nothing is written then.
  package func export(
    _ asset: OriginalFiles, _ options: ExportOptions, into folder: String, isTrial: Bool = false
  ) throws(EditError) -> ExportOutcome {
    let publisher = try FilePublisher(in: folder, stem: asset.stem, isTrial: isTrial)
    let resources = try resources(of: asset, version: options.version, publisher)
    var making = ExportMaking(
      resources: resources, options: options, publisher: publisher, converter: renderer,
      isCancelled: isCancelled, photo: resources.photo, movie: resources.movie)
    let (items, bundle): ([FilePublisher.Item], String?)
    do throws(EditError) {
      try making.checkHalves()
      try making.strip()
      (items, bundle) = try making.make()
      try publisher.checkFree(bundle.map { [$0] } ?? items.map(\.name))
      try making.prove(items)
      try making.verify(items)
    } catch {
      throw publisher.named(error, after: making.source(of: error.file))
    }
    if isCancelled() {
      throw EditError(.cancelled, file: asset.path(asset.stem), "was not exported: stopped on request")
    }
    let written = try publisher.publish(items, bundle: bundle)
    return ExportOutcome(
      sourcePaths: [resources.photo?.source, resources.movie?.source].compactMap { $0 },
      writtenPaths: written,
      removals: making.removals, notes: asset.notes + making.notes)
  }

  /// The files of a version; rendered again where it gave them up.
  private func resources(
    of asset: OriginalFiles, version: Int?, _ publisher: FilePublisher
  ) throws(EditError) -> HalfFiles {
    try Library.reading(asset.folder, layout: layout) { library throws(EditError) in
      let record = try library.state(of: asset).record
      var number = record.holder(of: version ?? record.current)
      // Adjustment data alone, without a render: what it is about are the originals.
      if let made = record.version(number), !made.hasRender { number = 0 }
      guard number == 0 || record.version(number) != nil else {
        throw EditError(
          .notFound, file: asset.path(asset.stem), "has no version \(number)",
          remedy: "liveedit history lists its versions")
      }
      var resources: [FileRole: HalfFiles.Half] = [:]
      if let made = record.version(number), !made.hasFiles {
        let plan = try RenderPlan(again: made, of: record, in: library)
        let outputs = Dictionary(
          uniqueKeysWithValues: plan.sources.keys.map { ($0, publisher.path("rendered-" + $0.rawValue)) })
        _ = try renderer.render(plan.job(outputs: outputs), progress: { _ in }, isCancelled: isCancelled)
        for file in made.files {
          guard let path = outputs[file.role] else { continue }
          let source = plan.sources[file.role] ?? path
          resources[file.role] = HalfFiles.Half(path: path, name: file.name, source: source)
        }
      } else {
        for file in number == 0 ? record.originals : record.version(number)?.files ?? [] {
          let path = library.path(of: file, version: number, in: record)
          resources[file.role] = HalfFiles.Half(path: path, name: file.name, source: path)
        }
      }
      return HalfFiles(photo: resources[.photo], movie: resources[.movie])
    }
  }
}
