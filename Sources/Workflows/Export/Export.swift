import Basics
import EditLibrary
public import EditModel
import FileSystem
public import LivePhotoFormat

public import struct FoundationEssentials.URL

/// The form in which a Live Photo is exported.
public enum ExportForm: String, CaseIterable, Sendable {
  /// The photo and the movie as two paired files.
  case pair
  /// The photo alone, without the identifier that pairs it with the movie.
  case still
  /// The movie alone, without the identifier that pairs it with the photo.
  case movie
  /// One photo file that contains the movie. Every program can display the photo, and Android's galleries can also play
  /// the movie.
  case motionPhoto = "motion-photo"
  /// A folder with both files, which Apple devices recognise as one Live Photo.
  case pvt
  /// A small, endlessly repeating animation in the GIF format, without audio.
  case gif
  /// A small, endlessly repeating animation in the WebP format, without audio.
  case webp
  /// The photo, or a movie's first frame, upright and at a requested size, for websites.
  case image
  /// The movie, upright and at a requested size, in a format that every browser can play.
  case video
  /// The original, its render and the adjustment data, under names that make Apple's Photos import them as one edit
  /// that can be reverted.
  case apple
}

/// The options of an export.
///
///     let options = ExportOptions(.still, stripping: .all)
public struct ExportOptions: Hashable, Sendable {
  /// The form in which the Live Photo is exported.
  public var form: ExportForm
  /// The number of the version to export, or nil for the current version. The original is version 0.
  public var version: Int?
  /// The private metadata to remove from all files, or nil to keep all metadata.
  public var stripping: LivePhotoFormat.PrivateMetadata?
  /// The container for a movie that is exported alone.
  public var container: MovieConversion.Container
  /// Whether a Motion Photo gets the trailer that Samsung phones expect.
  public var hasSamsungTrailer: Bool
  /// The maximum number of pixels on an image's longer side or on a video's shorter side (“720p”). Nil keeps the size.
  public var size: Int?
  /// The file format of an image.
  public var imageFormat: ImageConversion.Format
  /// The colour profile of an image.
  public var profile: ImageConversion.Profile
  /// The quality of an image or a video, that is, how close it is to its source.
  public var quality: RenderSettings.Quality
  /// The pattern for the names of the new files, or nil to keep the existing names.
  public var name: ExportName?
  /// Whether new files get a number if their names are taken: `IMG_0001-2`.
  public var isNumbered: Bool
  /// The effect that replaces the version's effect in the exported movie: ``EditModel/Motion/Effect/loop``,
  /// ``EditModel/Motion/Effect/bounce`` or ``EditModel/Motion/Effect/none``. Nil keeps the version's effect.
  public var effect: Motion.Effect?

  /// - Parameters:
  ///   - form: The form in which the Live Photo is exported.
  ///   - version: The number of the version, or nil for the current version. The original is version 0.
  ///   - stripping: The private metadata to remove, or nil to keep all metadata.
  ///   - container: The container for a movie that is exported alone.
  ///   - hasSamsungTrailer: Whether a Motion Photo gets Samsung's trailer.
  ///   - size: The maximum number of pixels on an image's longer side or on a video's shorter side, or nil to keep the
  ///     size.
  ///   - imageFormat: The file format of an image.
  ///   - profile: The colour profile of an image.
  ///   - quality: How close an image or a video is to its source.
  ///   - name: The pattern for the names of the new files, or nil to keep the existing names.
  ///   - isNumbered: Whether new files get a number if their names are taken.
  ///   - effect: The effect that replaces the version's effect in the exported movie, or nil to keep the version's
  ///     effect.
  public init(
    _ form: ExportForm, version: Int? = nil, stripping: LivePhotoFormat.PrivateMetadata? = nil,
    container: MovieConversion.Container = .mov, hasSamsungTrailer: Bool = false, size: Int? = nil,
    imageFormat: ImageConversion.Format = .jpeg, profile: ImageConversion.Profile = .keep,
    quality: RenderSettings.Quality = .standard, name: ExportName? = nil, isNumbered: Bool = false,
    effect: Motion.Effect? = nil
  ) {
    self.form = form
    self.version = version
    self.stripping = stripping
    self.container = container
    self.hasSamsungTrailer = hasSamsungTrailer
    self.size = size
    self.imageFormat = imageFormat
    self.profile = profile
    self.quality = quality
    self.name = name
    self.isNumbered = isNumbered
    self.effect = effect
  }
}

/// The result of an export.
public struct ExportOutcome: Sendable {
  /// The files that were read.
  public var sources: [URL] { sourcePaths.map { URL(file: $0) } }
  /// The new files. For a bundle, this is its folder.
  public var written: [URL] { writtenPaths.map { URL(file: $0) } }
  /// The paths of the files that were read.
  package var sourcePaths: [String]
  /// The paths of the new files. For a bundle, this is the path of its folder.
  package var writtenPaths: [String]
  /// The pixel size of the exported image or video, or nil for other forms.
  public var size: PixelSize?
  /// The metadata that the new files lack although its removal was not requested.
  public var removals: [Removal]
  /// Further remarks for the user, one sentence each.
  public var notes: [Message]
}

/// Exports assets into another folder. The assets and their library are not changed.
package struct Exporter: Sendable {
  private let renderer: any Renderer & MediaConverter
  /// The layout of the library, which determines where the renders are stored.
  let layout: LibraryLayout
  /// Returns whether the export should stop.
  let isCancelled: @Sendable () -> Bool

  /// - Parameters:
  ///   - renderer: The renderer that renders versions again and converts movies.
  ///   - layout: The layout of the library, which determines where the renders are stored.
  ///   - isCancelled: Called repeatedly, from any thread. If the function returns true, the export stops.
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
  ///   - asset: The originals, see `AssetLocator`.
  ///   - options: The options of the export.
  ///   - folder: The folder for the new files, created if it is missing. Existing files are not overwritten.
  /// - Throws: ``Basics/EditError`` if the export fails. No file is written in that case.
  package func export(
    _ asset: OriginalFiles, _ options: ExportOptions, into folder: String
  ) throws(EditError) -> ExportOutcome {
    var taken = TakenNames()
    return try make(begin(asset, options, into: folder, taken: &taken))
  }

  /// Begins an export: finds the version's files and chooses the names of the new files.
  ///
  /// - Parameters:
  ///   - asset: The originals, see `AssetLocator`.
  ///   - options: The options of the export.
  ///   - folder: The folder for the new files, created if it is missing.
  ///   - isTrial: Whether to make the files in a temporary folder without publishing them.
  ///   - taken: Paths that count as taken in addition to existing files, such as the names in unfinished exports. The
  ///     function adds the names in this export.
  /// - Throws: ``Basics/EditError`` if the export is not possible.
  package func begin(
    _ asset: OriginalFiles, _ options: ExportOptions, into folder: String, isTrial: Bool = false,
    taken: inout TakenNames
  ) throws(EditError) -> Begun {
    let number = try version(of: asset, options.version)
    let place = options.name?.place(try values(of: asset, version: number))
    let publisher = try FilePublisher(
      in: folder, below: place?.folder ?? "", makesFolders: true, stem: asset.plainStem, isTrial: isTrial)
    let (resources, apple, job) = try resources(of: asset, version: number, options, publisher)
    let rendered = job.map { HelperJob.render($0).inputs } ?? []
    let files = SteadyFiles(ExportMaking.sources(resources, apple) + rendered)
    var making = ExportMaking(
      resources, isMotionPhoto: try isMotionPhoto(resources), apple: apple, options, publisher,
      originals: asset.halves.map { asset.path($0.name) }, converter: renderer, isCancelled: isCancelled)
    do throws(EditError) {
      try making.checkHalves()
      try making.planConversion()
      if let apple {
        let (items, stem) = try making.appleNames(apple, taken: &taken)
        let begun = Begun(
          asset: asset, files: files, making: making, items: items, bundle: nil, job: job, missing: [],
          newStem: stem)
        taken.add(begun.paths)
        return begun
      }
      let (items, bundle) = try making.names(stem: place?.stem, taken: &taken)
      let begun = Begun(
        asset: asset, files: files, making: making, items: items, bundle: bundle, job: job,
        missing: place?.missing ?? [])
      taken.add(begun.paths)
      return begun
    } catch {
      throw publisher.named(error, after: making.source(of: error.file))
    }
  }

  /// Returns whether the photo contains its movie. For a photo that will be rendered again, the function checks the
  /// source photo.
  private func isMotionPhoto(_ resources: HalfFiles) throws(EditError) -> Bool {
    guard resources.movie == nil, let photo = resources.photo else { return false }
    return try MotionPhotoFiles.isMotionPhoto(photo.source)
  }

  /// An export whose file names have been chosen but whose files have not been made.
  package struct Begun: @unchecked Sendable {
    // The value is used by one thread at a time.
    let asset: OriginalFiles
    let files: SteadyFiles
    var making: ExportMaking
    let items: [FilePublisher.Item]
    let bundle: String?
    /// The job that renders the version again if its files were discarded, or renders its movie with another effect.
    let job: RenderJob?
    /// The fields of the name pattern whose values are unknown.
    let missing: [ExportName.Field]
    /// The stem that the form gives to all files, or nil if the files keep their names.
    var newStem: String?

    /// The paths of the new files, and further paths that other exports must not use.
    var paths: [String] {
      (bundle.map { [$0] } ?? items.map(\.name)).map(making.publisher.target)
        + [newStem.map(making.reserved)].compactMap { $0 }
    }
  }

  /// Makes the files of an export and publishes them under their names.
  ///
  /// - Throws: ``Basics/EditError`` if the export fails. No file is written in that case.
  package func make(_ begun: Begun) throws(EditError) -> ExportOutcome {
    let (asset, publisher) = (begun.asset, begun.making.publisher)
    var making = begun.making
    do throws(EditError) {
      if let job = begun.job {
        let result = try renderer.render(job, progress: { _ in }, isCancelled: isCancelled)
        if begun.making.options.effect != nil { making.note(result) }
      }
      try making.takeApart()
      try making.convertPhoto()
      try making.strip()
      try making.make()
      try making.prove(begun.items)
      try making.verify(begun.items)
      try begun.files.check()
    } catch {
      throw publisher.named(begun.files.explained(error), after: making.source(of: error.file))
    }
    if isCancelled() {
      throw EditError(.cancelled, file: asset.path(asset.stem), "was not exported: stopped on request")
    }
    let written = try publisher.publish(begun.items, bundle: begun.bundle)
    let unknown = begun.missing.map { field -> Message in
      "The exported name lacks the \(field.rawValue), which is unknown."
    }
    let renamed = begun.newStem.flatMap { stem -> Message? in
      stem == asset.plainStem
        ? nil : "The export is named \(stem), because Photos imports edits only with names such as IMG_0001."
    }
    return ExportOutcome(
      sourcePaths: making.sources, writtenPaths: written, size: making.size,
      removals: making.removals, notes: asset.notes + making.notes + unknown + [renamed].compactMap { $0 })
  }

  /// Returns the number of the version whose files are exported; 0 for the originals.
  private func version(of asset: OriginalFiles, _ wanted: Int?) throws(EditError) -> Int {
    try Library.reading(asset.folder, layout: layout) { library throws(EditError) in
      let record = try library.state(of: asset, isReading: true).record
      let number = record.holder(of: wanted ?? record.current)
      // A version with adjustment data but no render uses the original files.
      if let made = record.version(number), !made.hasRender { return 0 }
      guard number == 0 || record.version(number) != nil else {
        throw EditError(
          .notFound, file: asset.path(asset.stem), "has no version \(number)",
          remedy: "liveedit history lists its versions")
      }
      return number
    }
  }

  /// Returns the number of the version that an asset displays, and the halves that the version has. Version 0 is the
  /// original.
  ///
  /// - Parameter asset: The originals, see `AssetLocator`.
  func currentVersion(of asset: OriginalFiles) throws(EditError) -> (number: Int, roles: Set<FileRole>) {
    let number = try version(of: asset, nil)
    return try Library.reading(asset.folder, layout: layout) { library throws(EditError) in
      let record = try library.state(of: asset, isReading: true).record
      let files = number == 0 ? record.originals.map(\.role) : record.version(number)?.files.map(\.role) ?? []
      return (number, Set(files).filter(\.isHalf))
    }
  }

  /// Returns the values for the name pattern, read from the originals' headers. A damaged half provides no values.
  private func values(of asset: OriginalFiles, version: Int) throws(EditError) -> ExportName.Values {
    func facts(
      _ name: String?, _ read: (FileByteSource) throws -> CaptureFacts
    ) throws(EditError) -> CaptureFacts? {
      guard let path = name.map(asset.path) else { return nil }
      return try ifSound(path) { try read(FileByteSource(path: path)) }
    }
    let photo = try facts(asset.photo) { try CaptureFacts(Photo($0).metadata()) }
    let movie = try facts(asset.movie) { try CaptureFacts(MovieMetadata(reading: $0)) }
    let kind: AssetKind = asset.movie == nil ? .photo : asset.photo == nil ? .movie : .live
    let facts = movie.map { photo?.completed(by: $0) ?? $0 } ?? photo
    return ExportName.Values(stem: asset.plainStem, facts: facts, kind: kind, version: version)
  }

  /// Returns the files of a version and the accompanying files for Photos. If the version's files were discarded, the
  /// function also returns the job that renders them again. For another effect, the function returns the job that
  /// renders the movie.
  private func resources(
    of asset: OriginalFiles, version number: Int, _ options: ExportOptions, _ publisher: FilePublisher
  ) throws(EditError) -> (HalfFiles, AppleFiles?, RenderJob?) {
    try Library.reading(asset.folder, layout: layout) { library throws(EditError) in
      let record = try library.state(of: asset, isReading: true).record
      let made = record.version(number)
      let files = number == 0 ? record.originals : made?.files ?? []
      let gone = made.flatMap { $0.hasFiles ? nil : $0 }
      var plan: RenderPlan?
      if let effect = options.effect, files.contains(where: { $0.role == .movie }),
        gone.map(record.canRender) != false
      {
        plan = try RenderPlan(playing: effect, version: number, of: record, in: library)
      }
      let isPlayed = plan != nil
      if plan == nil, let gone { plan = try RenderPlan(again: gone, of: record, in: library) }
      func output(_ role: FileRole) -> String { publisher.path("rendered-" + role.rawValue) }
      var resources: [FileRole: HalfFiles.Half] = [:]
      for file in files {
        if gone != nil || isPlayed && file.role == .movie {
          guard let source = plan?.sources[file.role] else { continue }
          resources[file.role] = HalfFiles.Half(path: output(file.role), name: file.name, source: source)
        } else {
          let path = library.path(of: file, version: number, in: record)
          resources[file.role] = HalfFiles.Half(path: path, name: file.name, source: path)
        }
      }
      // If a version has no files, its photo must also be rendered.
      let job = plan.map { plan in
        gone == nil
          ? plan.job(movie: output(.movie), photo: output(.photo))
          : plan.job(
            outputs: Dictionary(uniqueKeysWithValues: plan.sources.keys.map { ($0, output($0)) }))
      }
      let halves = HalfFiles(photo: resources[.photo], movie: resources[.movie])
      guard options.form == .apple else { return (halves, nil, job) }
      // A version with adjustment data but no render is exported together with the originals.
      let shown = record.holder(of: options.version ?? record.current)
      let apple = try AppleFiles(of: asset, version: shown, record, in: library)
      return (number == 0 ? HalfFiles() : halves, apple, job)
    }
  }
}
