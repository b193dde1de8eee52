import Basics
import EditModel
import FileSystem
import LivePhotoFormat

/// Reads the metadata of a group's files. A file that cannot be read gets a note instead of causing an error.
struct AssetReader {
  /// The originals' folder and the library home.
  let folders: AssetFolders

  /// One half: its status if known, and its metadata or a note that explains why the metadata cannot be read.
  private struct Half<Content> {
    var status: FileStatus?
    var content: Content?
    var note: Message?
    /// Whether the system refused to read the file, which may work the next time.
    var isRefused = false
  }

  /// Reads the files of a group.
  ///
  /// - Returns: One row, two rows if the halves are not a pair, or an empty list if the group has no files. A row whose
  ///   original the system refused to read has ``IndexRow/unknownStamp``.
  func rows(of group: FileGroup) -> [IndexRow] {
    // The stamp is computed first, so that a change during reading appears as a different stamp.
    let stamp = group.stamp(in: folders)
    let photo = group.photo.flatMap { name in
      half(name, in: folders.originals) { source in
        try HalfIdentifier.check(source, name, is: .photo)
        return try Photo(source).metadata()
      }
    }
    let movie = group.movie.flatMap { name in
      half(name, in: folders.originals) { source in
        try HalfIdentifier.check(source, name, is: .movie)
        return try MovieMetadata(reading: source)
      }
    }
    guard let photo, let movie, let photoName = group.photo, let movieName = group.movie else {
      guard photo != nil || movie != nil else { return [] }
      var group = group
      if photo == nil { group.photo = nil }
      if movie == nil { group.movie = nil }
      return [row(group, stamp: stamp, photo, movie)]
    }
    let photoIdentifier = photo.content?.contentIdentifier
    let movieIdentifier = movie.content?.contentIdentifier
    // If a half cannot be read, the names alone decide whether the halves are a pair.
    let isReadable = photo.content != nil && movie.content != nil
    let isPair = isReadable ? photoIdentifier == movieIdentifier : true
    if isPair, photoIdentifier != nil || movieIdentifier != nil {
      return [row(group, stamp: stamp, photo, movie)]
    }
    let note: Message = "\(photoName) and \(movieName) have the same name but are not a Live Photo"
    let singles = [photoName, movieName].map { name in
      var single = group.alone(name, in: folders)
      single.notes.append(note)
      return (name, single, stamp: single.stamp(in: folders))
    }
    // Files that changed since they were read have no stamp yet.
    let isSame = group.stamp(in: folders) == stamp
    return singles.map { name, single, stamp in
      row(
        single, stamp: isSame ? stamp : IndexRow.unknownStamp, name == photoName ? photo : nil,
        name == photoName ? nil : movie)
    }
  }

  /// Returns the row of a photo or movie whose name is not valid UTF-8. Only its status is known.
  ///
  /// - Returns: The row, or nil if the file is hidden, or its extension is neither a photo's nor a movie's.
  func row(of entry: Folder.UnusableEntry) -> IndexRow? {
    let parts = RenderNames.Parts(entry.name)
    guard let kind = HalfKind(fileExtension: parts.fileExtension), !entry.name.hasPrefix("."),
      let status = entry.status, status.kind == .regular
    else { return nil }
    let isPhoto = kind == .photo
    let group = FileGroup(
      photo: isPhoto ? entry.name : nil, movie: isPhoto ? nil : entry.name,
      current: CurrentFiles(EditedFiles()))
    var metadata = AssetMetadata(
      kind: isPhoto ? .photo : .movie, modified: Int(status.modified / 1_000_000), size: status.size)
    metadata.notes = [UnusableName.note]
    return IndexRow(
      photo: group.photo, movie: group.movie, current: group.current, stamp: group.stamp(in: folders),
      identifier: nil, metadata: metadata, inode: status.place.inode)
  }

  private func half<Content>(
    _ name: String, in folder: HeldFolder, _ read: (FileByteSource) throws -> Content
  ) -> Half<Content>? {
    let path = folder.path(name)
    var status: FileStatus?
    do {
      let found = try FileStatus(path: path)
      guard found.kind == .regular else { return nil }
      status = found
      let source = try FileByteSource(path: path)
      guard source.count > 0 else { throw MediaError("it is empty") }
      return Half(status: found, content: try read(source))
    } catch {
      let isRefused = EditError(reading: path, error).code == .fileSystem
      return Self.problem(reading: path, error).map { [status] in
        Half(status: status, note: "\(name): \($0)", isRefused: isRefused)
      }
    }
  }

  /// Returns the reason why a file cannot be read, or nil if another process removed the file since it was listed, for
  /// example by a revert.
  private static func problem(reading path: String, _ error: any Error) -> Message? {
    let error = EditError(reading: path, error)
    return error.code == .notFound ? nil : error.problem
  }

  private func row(
    _ group: FileGroup, stamp: Int64, _ photo: Half<PhotoMetadata>?, _ movie: Half<MovieMetadata>?
  ) -> IndexRow {
    let kind: AssetKind = photo == nil ? .movie : movie == nil ? .photo : .live
    let status = photo?.status ?? movie?.status
    var metadata = AssetMetadata(
      kind: kind, modified: Int((status?.modified ?? 0) / 1_000_000),
      size: [photo?.status?.size ?? 0, movie?.status?.size ?? 0].clampedSum)
    let (still, clip) = (photo?.content, movie?.content)
    metadata.subtypes = still?.subtypes ?? clip?.subtypes ?? []
    metadata.make = still?.make ?? clip?.make
    metadata.model = still?.model ?? clip?.model
    metadata.software = still?.software ?? clip?.software
    metadata.width = Self.known(photo == nil ? clip?.width : still?.width)
    metadata.height = Self.known(photo == nil ? clip?.height : still?.height)
    metadata.created = still?.created ?? clip?.created
    metadata.location = still?.location ?? clip?.location
    metadata.duration = clip.flatMap { $0.duration.isFinite ? $0.duration : nil }
    metadata.burst = still?.burst
    metadata.notes = group.notes + [photo?.note, movie?.note].compactMap { $0 }
    metadata.isDisagreeing = Self.disagree(still, clip)
    var isRefused = photo?.isRefused == true || movie?.isRefused == true
    readSidecar(group, &metadata, &isRefused)
    readEdit(group, &metadata, &isRefused)
    return IndexRow(
      photo: photo == nil ? nil : group.photo, movie: movie == nil ? nil : group.movie,
      current: group.current, sidecar: group.sidecars.first,
      stamp: isRefused ? IndexRow.unknownStamp : stamp,
      identifier: still?.contentIdentifier ?? clip?.contentIdentifier,
      metadata: metadata, wholeName: group.wholeName, inode: status?.place.inode)
  }

  /// Replaces the originals' metadata with the values in the sidecar.
  private func readSidecar(
    _ group: FileGroup, _ metadata: inout AssetMetadata, _ isRefused: inout Bool
  ) {
    guard let name = group.sidecars.first,
      let sidecar = half(name, in: folders.originals, { try SidecarFacts($0) })
    else { return }
    isRefused = isRefused || sidecar.isRefused
    if let note = sidecar.note { metadata.notes.append(note) }
    guard let facts = sidecar.content else { return }
    metadata.created = facts.created(over: metadata.created)
    metadata.location = facts.location(over: metadata.location)
  }

  /// Reads the files of the current version to determine the picture size and the format of the adjustment data.
  private func readEdit(_ group: FileGroup, _ metadata: inout AssetMetadata, _ isRefused: inout Bool) {
    metadata.isEdited = !group.current.names.isEmpty
    let stem = RenderNames.Parts(group.name).stem
    do {
      if let original = try LostOriginal(ofRender: stem, in: folders) {
        metadata.isEdited = true
        metadata.notes.append(original.note(group.name))
        if let adjustments = original.adjustments {
          readAdjustments(adjustments, in: folders.originals, &metadata, &isRefused)
        }
      }
    } catch {
      isRefused = true
      metadata.notes.append("\(group.name): \(error.problem)")
    }
    let shown = group.current.areInHome ? folders.home : folders.originals
    let main: HalfKind = metadata.kind == .movie ? .movie : .photo
    for name in group.current.names {
      switch HalfKind(fileExtension: RenderNames.Parts(name).fileExtension) {
      case main:
        let size = half(name, in: shown) { source -> (Int, Int) in
          if main == .photo {
            let render = try Photo(source).metadata()
            return (render.width, render.height)
          }
          let render = try MovieMetadata(reading: source)
          return (render.width ?? 0, render.height ?? 0)
        }
        if let (width, height) = size?.content {
          (metadata.width, metadata.height) = (Self.known(width), Self.known(height))
        }
        if let note = size?.note { metadata.notes.append(note) }
        isRefused = isRefused || size?.isRefused == true
      case nil:
        guard let edit = readAdjustments(name, in: shown, &metadata, &isRefused) else { continue }
        let motion = edit.motion
        if edit.facts.date != nil || edit.facts.place != nil {
          readFacts(of: group.current.names, in: shown, changed: edit.facts, &metadata, &isRefused)
        }
        if motion.isLiveOff { metadata.duration = nil }
        if motion.trim != nil { readDuration(of: group.current.names, in: shown, &metadata, &isRefused) }
      default: continue
      }
    }
  }

  /// Reads the date and the location from renders, if their edit changed them.
  private func readFacts(
    of names: [String], in folder: HeldFolder, changed facts: Facts, _ metadata: inout AssetMetadata,
    _ isRefused: inout Bool
  ) {
    var (photoHalf, movieHalf): (Half<PhotoMetadata>?, Half<MovieMetadata>?)
    for name in names {
      switch HalfKind(fileExtension: RenderNames.Parts(name).fileExtension) {
      case .photo: photoHalf = half(name, in: folder) { try Photo($0).metadata() }
      case .movie: movieHalf = half(name, in: folder) { try MovieMetadata(reading: $0) }
      case nil: continue
      }
    }
    isRefused = isRefused || photoHalf?.isRefused == true || movieHalf?.isRefused == true
    let (photo, movie) = (photoHalf?.content, movieHalf?.content)
    guard photo != nil || movie != nil else { return }
    if facts.date != nil { metadata.created = photo?.created ?? movie?.created }
    if facts.place != nil { metadata.location = photo?.location ?? movie?.location }
    metadata.isDisagreeing = Self.disagree(photo, movie)
  }

  /// Whether the dates or locations of two halves show that they are not from the same capture.
  private static func disagree(_ photo: PhotoMetadata?, _ movie: MovieMetadata?) -> Bool {
    guard let photo, let movie else { return false }
    return FactsAgreement(
      photo: HalfFacts(created: photo.created, location: photo.location),
      movie: HalfFacts(created: movie.created, location: movie.location)
    ).isContradiction
  }

  /// Reads the duration of a trimmed movie.
  private func readDuration(
    of names: [String], in folder: HeldFolder, _ metadata: inout AssetMetadata, _ isRefused: inout Bool
  ) {
    for name in names where HalfKind(fileExtension: RenderNames.Parts(name).fileExtension) == .movie {
      let seconds = half(name, in: folder) { try MovieMetadata(reading: $0).duration }
      isRefused = isRefused || seconds?.isRefused == true
      if let seconds = seconds?.content, seconds.isFinite { metadata.duration = seconds }
    }
  }

  /// Reads the adjustment data of an asset and adds its format and notes to the metadata.
  ///
  /// - Returns: The edit, if liveedit made it.
  @discardableResult private func readAdjustments(
    _ name: String, in folder: HeldFolder, _ metadata: inout AssetMetadata, _ isRefused: inout Bool
  ) -> Edit? {
    do {
      let file = try AdjustmentFile.read(name, in: folder, isOriginal: folder !== folders.home)
      metadata.adjustmentFormat = file.adjustment.formatIdentifier
      if file.adjustment.formatIdentifier == Self.slowMotionFormat { metadata.subtypes.insert(.slowMotion) }
      let edit = file.adjustment.decoded()?.edit
      if edit?.motion.isLiveOff == true { metadata.notes.append(Self.liveOffNote) }
      return edit
    } catch {
      isRefused = isRefused || EditError(reading: name, error).code == .fileSystem
      if let problem = Self.problem(reading: name, error) { metadata.notes.append("\(name): \(problem)") }
      return nil
    }
  }

  /// Returns a size in pixels, or nil if it is not positive.
  private static func known(_ pixels: Int?) -> Int? { pixels.flatMap { $0 > 0 ? $0 : nil } }

  /// The note for an asset that is rendered as a photo without a movie.
  static let liveOffNote: Message = "Live is off: the edited Live Photo is only a photo"

  /// The format of the adjustment data that Photos writes for slow-motion movies.
  private static let slowMotionFormat = "com.apple.video.slomo"
}
