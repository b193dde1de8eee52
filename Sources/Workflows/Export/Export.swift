import Basics
import EditLibrary
public import EditModel
import FileSystem
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
  /// The photo, or a movie's first frame, upright and of a size that is asked for: a picture for websites.
  case image
  /// The movie, upright and of a size that is asked for, as every browser plays it.
  case video
  /// The original, its render and the adjustment data, by the names that Apple's Photos takes for one edit that can be
  /// taken back.
  case apple
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
  public var stripping: LivePhotoFormat.PrivateMetadata?
  /// The container of a movie alone.
  public var container: MovieConversion.Container
  /// True if a Motion Photo gets the trailer that Samsung's phones look for.
  public var hasSamsungTrailer: Bool
  /// Pixels at most: of an image's longer side, of a video's shorter one as in “720p”. Nil keeps the size.
  public var size: Int?
  /// The file format of an image.
  public var imageFormat: ImageConversion.Format
  /// The colours of an image.
  public var profile: ImageConversion.Profile
  /// The fidelity of an image or a video to what it is made of.
  public var quality: RenderSettings.Quality
  /// The pattern for the names of the new files; nil for the names that they have.
  public var name: ExportName?
  /// True if new files get a number where their names are taken: `IMG_0001-2`.
  public var isNumbered: Bool
  /// The effect that the movie gets in place of the version's: ``EditModel/Motion/Effect/loop``, ``EditModel/Motion/Effect/bounce`` or
  /// ``EditModel/Motion/Effect/none``; nil keeps the version's.
  public var effect: Motion.Effect?

  /// - Parameters:
  ///   - form: the form in which it is handed on.
  ///   - version: the version: 0 is the original; nil is the current one.
  ///   - stripping: the private metadata that is taken out; nil for none.
  ///   - container: the container of a movie alone.
  ///   - hasSamsungTrailer: whether a Motion Photo gets Samsung's trailer.
  ///   - size: pixels at most, of an image's longer or a video's shorter side; nil keeps the size.
  ///   - imageFormat: the file format of an image.
  ///   - profile: the colours of an image.
  ///   - quality: how near an image or a video comes to what it is made of.
  ///   - name: the pattern for the names of the new files; nil for the names that they have.
  ///   - isNumbered: whether new files get a number where their names are taken.
  ///   - effect: the effect that the movie gets in place of the version's; nil keeps the version's.
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
  /// The new files; of a bundle its folder.
  public var written: [URL] { writtenPaths.map { URL(file: $0) } }
  /// Paths of the files that were read.
  package var sourcePaths: [String]
  /// Paths of the new files; of a bundle its folder.
  package var writtenPaths: [String]
  /// Columns and rows of the image or video that was made; nil for other forms.
  public var size: PixelSize?
  /// The metadata that the new files do not carry though nobody asked for that.
  public var removals: [Removal]
  /// Further remarks, one sentence each.
  public var notes: [Message]
}

/// Exports assets into another folder. The assets and their library stay as they are.
package struct Exporter: Sendable {
  private let renderer: any Renderer & MediaConverter
  /// The place of the renders.
  let layout: LibraryLayout
  /// True if the export is to stop.
  let isCancelled: @Sendable () -> Bool

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
  ///   - folder: where the new files go; made where it is missing. Nothing there is overwritten.
  /// - Throws: ``Basics/EditError``; nothing is written then.
  package func export(
    _ asset: OriginalFiles, _ options: ExportOptions, into folder: String
  ) throws(EditError) -> ExportOutcome {
    var taken = TakenNames()
    return try make(begin(asset, options, into: folder, taken: &taken))
  }

  /// Begins an export: finds the version's files and chooses the names of the new ones.
  ///
  /// - Parameters:
  ///   - asset: the originals, see `AssetLocator`.
  ///   - options: how.
  ///   - folder: where the new files go; made where it is missing.
  ///   - isTrial: true to make them in a temporary folder, and not to put them there.
  ///   - taken: paths that count as taken besides those that are there: the names of other exports that are not done. Those of
  ///     this one are added.
  /// - Throws: ``Basics/EditError``.
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

  /// True if a photo holds its movie. One that is rendered again does where its source does.
  private func isMotionPhoto(_ resources: HalfFiles) throws(EditError) -> Bool {
    guard resources.movie == nil, let photo = resources.photo else { return false }
    return try MotionPhotoFiles.isMotionPhoto(photo.source)
  }

  /// An export whose files have names and are still to be made.
  package struct Begun: @unchecked Sendable {
    // Used by one thread at a time.
    let asset: OriginalFiles
    let files: SteadyFiles
    var making: ExportMaking
    let items: [FilePublisher.Item]
    let bundle: String?
    /// Renders the version again, where it gave its files up, or its movie with another effect.
    let job: RenderJob?
    /// The facts that the name should tell and that are not known.
    let missing: [ExportName.Field]
    /// The stem that the form gave all files; nil where they have the names that they had.
    var newStem: String?

    /// The paths that the new files will have, and what else other exports must leave free for them.
    var paths: [String] {
      (bundle.map { [$0] } ?? items.map(\.name)).map(making.publisher.target)
        + [newStem.map(making.reserved)].compactMap { $0 }
    }
  }

  /// Makes the files of an export, and gives them their names.
  ///
  /// - Throws: ``Basics/EditError``; nothing is written then.
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

  /// The number of the version whose files are exported; 0 for the originals.
  private func version(of asset: OriginalFiles, _ wanted: Int?) throws(EditError) -> Int {
    try Library.reading(asset.folder, layout: layout) { library throws(EditError) in
      let record = try library.state(of: asset, isReading: true).record
      let number = record.holder(of: wanted ?? record.current)
      // Adjustment data alone, without a render: what it is about are the originals.
      if let made = record.version(number), !made.hasRender { return 0 }
      guard number == 0 || record.version(number) != nil else {
        throw EditError(
          .notFound, file: asset.path(asset.stem), "has no version \(number)",
          remedy: "liveedit history lists its versions")
      }
      return number
    }
  }

  /// The number of the version that an asset shows, 0 for the originals, and the halves that it has.
  ///
  /// - Parameter asset: the originals, see `AssetLocator`.
  func currentVersion(of asset: OriginalFiles) throws(EditError) -> (number: Int, roles: Set<FileRole>) {
    let number = try version(of: asset, nil)
    return try Library.reading(asset.folder, layout: layout) { library throws(EditError) in
      let record = try library.state(of: asset, isReading: true).record
      let files = number == 0 ? record.originals.map(\.role) : record.version(number)?.files.map(\.role) ?? []
      return (number, Set(files).filter(\.isHalf))
    }
  }

  /// The facts that names tell, by the originals' headers. A half that is not sound says nothing.
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

  /// The files of a version, what goes along with them for Photos, and the job that renders them again where it gave them
  /// up, or its movie with another effect.
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
      // The photo of a version without files is new, too.
      let job = plan.map { plan in
        gone == nil
          ? plan.job(movie: output(.movie), photo: output(.photo))
          : plan.job(
            outputs: Dictionary(uniqueKeysWithValues: plan.sources.keys.map { ($0, output($0)) }))
      }
      let halves = HalfFiles(photo: resources[.photo], movie: resources[.movie])
      guard options.form == .apple else { return (halves, nil, job) }
      // Adjustment data alone, without a render, goes along with the originals.
      let shown = record.holder(of: options.version ?? record.current)
      let apple = try AppleFiles(of: asset, version: shown, record, in: library)
      return (number == 0 ? HalfFiles() : halves, apple, job)
    }
  }
}
