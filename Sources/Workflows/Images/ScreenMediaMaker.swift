import Basics
import EditLibrary
import EditModel
import FileSystem
import FoundationEssentials
import LivePhotoFormat

/// Makes small pictures and movies of assets for display. The renderer decodes the files, and the library is not
/// changed.
package struct ScreenMediaMaker: Sendable {
  /// The state of an asset to display.
  package enum State: Hashable, Sendable {
    /// The current files.
    case current
    /// The version with this number; 0 is the original.
    case version(Int)
    /// The starting point of the next edit.
    case base
  }

  /// The files of a state. A version whose files were discarded has no files.
  package struct Files: Hashable, Sendable {
    /// The path of the photo.
    package var photo: String?
    /// The path of the movie.
    package var movie: String?

    init(photo: String? = nil, movie: String? = nil) { (self.photo, self.movie) = (photo, movie) }

    /// Creates the files from which an edit starts.
    package init(_ source: EditSource) {
      self.init(photo: source.files[.photo], movie: source.files[.movie])
    }
  }

  private let renderer: any Renderer & MediaConverter
  private let isCancelled: @Sendable () -> Bool

  /// - Parameters:
  ///   - renderer: The renderer that decodes and encodes.
  ///   - isCancelled: Called repeatedly, from any thread. If the function returns true, the work stops.
  package init(renderer: any Renderer & MediaConverter, isCancelled: @escaping @Sendable () -> Bool) {
    (self.renderer, self.isCancelled) = (renderer, isCancelled)
  }

  /// Returns the asset's current files, determined by their names: the renders, or the originals if there are no
  /// renders.
  package static func currentFiles(of asset: IndexedAsset) -> Files {
    func path(_ kind: HalfKind) -> String? {
      asset.currentPaths.first { HalfKind(fileExtension: RenderNames.Parts($0).fileExtension) == kind }
    }
    let originals = Files(
      photo: asset.photo.map { FilePath.joined(asset.folder, $0) },
      movie: asset.movie.map { FilePath.joined(asset.folder, $0) })
    let (photo, movie) = (path(.photo), path(.movie))
    if photo == nil, movie == nil { return originals }
    // If a photo was rendered without its movie, the asset has no movie: Live is off, or another program made the
    // photo.
    return Files(photo: photo ?? originals.photo, movie: movie ?? (photo == nil ? originals.movie : nil))
  }

  /// Returns the JPEG thumbnail in the current photo's file, with an Exif block that states its orientation. Returns
  /// nil if the file has no thumbnail.
  ///
  /// - Throws: ``EditError`` if the file cannot be read.
  package static func embeddedThumbnail(of asset: IndexedAsset) throws(EditError) -> [UInt8]? {
    guard let path = currentFiles(of: asset).photo else { return nil }
    return try readFile(path) { source in
      let photo = try Photo(source)
      guard let thumbnail = try photo.embeddedThumbnail(), thumbnail.starts(with: [0xFF, 0xD8, 0xFF]) else {
        return nil
      }
      let turn = try photo.metadata().orientation
      return turn == .identity ? thumbnail : Self.oriented(thumbnail, turn.rawValue)
    }
  }

  /// Adds an Exif block to a JPEG. The block contains only the orientation (Exif 2.32, section 4.5.4: the tag
  /// Orientation, 0x0112).
  private static func oriented(_ jpeg: [UInt8], _ orientation: Int) -> [UInt8] {
    let tiff: [UInt8] = [
      0x4D, 0x4D, 0, 42, 0, 0, 0, 8,  // big-endian, the directory at byte 8
      0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, UInt8(clamping: orientation), 0, 0,  // one SHORT
      0, 0, 0, 0,
    ]
    let exif = Array("Exif\0\0".utf8) + tiff
    return [0xFF, 0xD8, 0xFF, 0xE1, 0, UInt8(exif.count + 2)] + exif + jpeg.dropFirst(2)
  }

  /// Makes an upright JPEG picture of an asset.
  ///
  /// - Parameters:
  ///   - asset: The asset.
  ///   - state: The state of the asset to display.
  ///   - side: The maximum width and height in pixels.
  ///   - profile: The colour profile of the picture.
  ///   - output: The path of the file to write, which must not exist.
  /// - Throws: ``EditError`` if the picture cannot be made. No file is written in that case.
  package func picture(
    of asset: IndexedAsset, _ state: State, side: Int, profile: ImageConversion.Profile, to output: String
  ) throws(EditError) {
    if state == .current {
      return try picture(of: Self.currentFiles(of: asset), asset, side, profile, to: output)
    }
    switch try found(state, of: asset) {
    case .files(let files):
      // A file that will be edited needs a higher quality.
      let quality = state == .base ? RenderSettings.Quality.high : nil
      try picture(of: files, asset, side, profile, quality, to: output)
    case .job(let plan): try render(plan, asset, side, to: output)
    }
  }

  /// Makes a picture of an asset as it would look after another edit. The edit is not recorded. The picture keeps the
  /// photo's colour profile.
  ///
  /// - Parameters:
  ///   - asset: The asset.
  ///   - change: The change that turns the asset's last edit into the edit to display.
  ///   - side: The maximum width and height in pixels.
  ///   - small: A picture of the state ``State/base`` in the photo's own colours, at least as large as the output, or
  ///     nil. Rendering this picture is faster than rendering the photo.
  ///   - progress: Receives the completed fraction, from 0 to 1, from any thread.
  ///   - output: The path of the file to write, which must not exist.
  /// - Throws: ``EditError`` if the picture cannot be made. No file is written in that case.
  package func picture(
    of asset: IndexedAsset, changedBy change: ChangeOfEdit, side: Int, from small: String? = nil,
    progress: @escaping @Sendable (Double) -> Void = { _ in }, to output: String
  ) throws(EditError) {
    let plan = try Library.reading(asset.folder, layout: asset.layout) { library throws(EditError) in
      try RenderPlan(NextEdit(of: library.state(named: asset.name, isLeaving: false), in: library), change)
    }
    try render(plan, asset, side, from: small, progress: progress, to: output)
  }

  /// Makes a movie of an asset that every browser can play: an MP4 file with H.264 video and AAC audio, and with its
  /// tables at the start. For a Motion Photo, the function uses the movie in the photo's file.
  ///
  /// - Parameters:
  ///   - asset: The asset.
  ///   - state: The state of the asset to display.
  ///   - side: The maximum length of the shorter side in pixels.
  ///   - output: The path of the file to write, which must not exist.
  /// - Throws: ``EditError`` if the movie cannot be made. No file is written in that case.
  package func movie(of asset: IndexedAsset, _ state: State, side: Int, to output: String) throws(EditError) {
    var files = Self.currentFiles(of: asset)
    let scratch = try ScratchFolder()
    if state != .current {
      switch try found(state, of: asset) {
      case .files(let found): files = found
      case .job(var plan):
        try plan.takeApart(in: scratch)
        let rendered = scratch.file("rendered")
        let job = plan.job(movie: rendered, photo: scratch.file("photo"))
        guard job.movie != nil else { throw Self.noMovie(asset) }
        _ = try renderer.render(job, progress: { _ in }, isCancelled: isCancelled)
        files = Files(movie: rendered)
      }
    }
    if files.movie == nil, let photo = files.photo {
      files.movie = try MotionPhotoFiles(ifIn: photo, scratch)?.movie
    }
    guard let source = files.movie else { throw Self.noMovie(asset) }
    let converted = scratch.file("converted")
    do throws(EditError) {
      try convert(source, side, isForEdits: state == .base, by: converted, to: output)
    } catch {
      // The error names the user's file instead of a temporary file.
      var error = error
      if error.file?.hasPrefix(scratch.file("")) == true { error.file = asset.path }
      throw error
    }
  }

  /// Makes a movie of an asset as it would look after another edit. This function is needed for changes that are
  /// visible only in a render, such as a time effect. The edit is not recorded.
  ///
  /// - Parameters:
  ///   - asset: The asset.
  ///   - change: The change that turns the asset's last edit into the edit to display.
  ///   - side: The maximum width and height in pixels.
  ///   - progress: Receives the completed fraction, from 0 to 1, from any thread.
  ///   - output: The path of the file to write, which must not exist.
  /// - Throws: ``EditError`` if the movie cannot be made. No file is written in that case.
  package func movie(
    of asset: IndexedAsset, changedBy change: ChangeOfEdit, side: Int,
    progress: @escaping @Sendable (Double) -> Void, to output: String
  ) throws(EditError) {
    var plan = try Library.reading(asset.folder, layout: asset.layout) { library throws(EditError) in
      try RenderPlan(NextEdit(of: library.state(named: asset.name, isLeaving: false), in: library), change)
    }
    let scratch = try ScratchFolder()
    try plan.takeApart(in: scratch)
    var job = plan.job(movie: scratch.file("rendered"), photo: scratch.file("photo"))
    guard let rendered = job.movie?.output else { throw Self.noMovie(asset) }
    job.fittingSize = PixelSize(width: side, height: side)
    job.settings = RenderSettings(photoFormat: .jpeg)
    (job.settings.videoCodec, job.settings.speed) = (.h264, .fast)
    // Rendering takes most of the total time.
    _ = try renderer.render(job, progress: { progress(0.9 * $0.fraction) }, isCancelled: isCancelled)
    do throws(EditError) {
      try convert(rendered, side, by: scratch.file("converted"), to: output)
    } catch {
      var error = error
      error.file = asset.path
      throw error
    }
  }

  private func convert(
    _ source: String, _ side: Int, isForEdits: Bool = false, by converted: String, to output: String
  ) throws(EditError) {
    // A file that will be edited needs a higher quality.
    var job = VideoConversion(
      source: source, output: converted, shorterSide: side, quality: isForEdits ? .high : .standard,
      speed: .fast)
    job.isForEdits = isForEdits
    _ = try renderer.convert(.video(job), isCancelled: isCancelled)
    try changeFile(converted, to: output) { source, sink in
      try MovieSurgery(source).write(to: sink, puttingTablesFirst: true)
    }
  }

  private static func noMovie(_ asset: IndexedAsset) -> EditError {
    EditError(.notFound, file: asset.path, "has no movie in this version")
  }

  private enum Found {
    case files(Files)
    case job(RenderPlan)
  }

  /// Returns the files of a state, or the plan that renders them again.
  private func found(_ state: State, of asset: IndexedAsset) throws(EditError) -> Found {
    if state == .base { return .files(Files(try EditBase(of: asset).source)) }
    guard case .version(let wanted) = state else { return .files(Self.currentFiles(of: asset)) }
    return try Library.reading(asset.folder, layout: asset.layout) { library throws(EditError) in
      let record = try library.state(named: asset.name, isLeaving: false, isReading: true).record
      var number = record.holder(of: wanted)
      guard wanted == 0 || record.version(wanted) != nil else {
        throw EditError(.notFound, file: asset.path, "has no version \(wanted)")
      }
      if let made = record.version(number) {
        if !made.hasFiles { return .job(try RenderPlan(again: made, of: record, in: library)) }
        // A version with adjustment data but no render uses the original files.
        if !made.hasRender { number = 0 }
      }
      var found = Files()
      for file in number == 0 ? record.originals : record.version(number)?.files ?? [] {
        let path = library.path(of: file, version: number, in: record)
        if file.role == .photo { found.photo = path }
        if file.role == .movie { found.movie = path }
      }
      return .files(found)
    }
  }

  private func picture(
    of files: Files, _ asset: IndexedAsset, _ side: Int, _ profile: ImageConversion.Profile,
    _ quality: RenderSettings.Quality? = nil, to output: String
  ) throws(EditError) {
    guard let source = files.photo ?? files.movie else {
      throw EditError(.notFound, file: asset.path, "has no photo and no movie")
    }
    let scratch = try ScratchFolder()
    let made = scratch.file("picture")
    // Large pictures, which are viewed closely, keep the full colour resolution. Small pictures use a lower quality.
    let job = ImageConversion(
      source: source, isMovie: files.photo == nil, output: made, longerSide: side, format: .jpeg,
      profile: profile, quality: quality ?? (side < 1000 ? .small : .standard))
    _ = try renderer.convert(.image(job), isCancelled: isCancelled)
    try placeFile(made, at: output)
  }

  private func render(
    _ plan: RenderPlan, _ asset: IndexedAsset, _ side: Int, from small: String? = nil,
    progress: @escaping @Sendable (Double) -> Void = { _ in }, to output: String
  ) throws(EditError) {
    let scratch = try ScratchFolder()
    var plan = plan
    let usesMovie = plan.edit.motion.keyPhoto != nil || plan.edit.motion.effect == .longExposure
    var settings = RenderSettings(photoFormat: .jpeg)
    settings.quality = side < 1000 ? .small : .standard
    var source = plan.sources[.photo]
    if source == nil, let movie = plan.sources[.movie] {
      let frame = scratch.file("frame")
      _ = try renderer.convert(.frame(movie: movie, seconds: 0, output: frame), isCancelled: isCancelled)
      source = frame
    }
    guard var photo = source else {
      throw EditError(.notFound, file: asset.path, "has no photo and no movie")
    }
    if let small, !usesMovie, try Self.hasColors(small, of: photo) {
      photo = small
    } else {
      try plan.takeApart(in: scratch)
      photo = plan.sources[.photo] ?? photo
    }
    let made = scratch.file("picture")
    var job = RenderJob(
      photo: .init(source: photo, output: made), movie: nil,
      frameSource: usesMovie ? plan.sources[.movie] ?? plan.movieLeftOut : nil, edit: plan.edit,
      settings: settings, identifier: nil, fittingSize: PixelSize(width: side, height: side))
    job.stillPlace = plan.stillPlace
    do throws(EditError) {
      _ = try renderer.render(job, progress: { progress($0.fraction) }, isCancelled: isCancelled)
    } catch {
      var error = error
      if error.file == photo { error.file = asset.path }
      throw error
    }
    try placeFile(made, at: output)
  }

  /// Returns whether the small picture describes its colours correctly. A JPEG made from a HEIC photo does so only if
  /// the JPEG has a colour profile.
  private static func hasColors(_ small: String, of photo: String) throws(EditError) -> Bool {
    if try readFile(photo, { try Photo($0).kind != .heif }) { return true }
    return try readFile(small) { try Photo($0).iccProfile() != nil }
  }
}
