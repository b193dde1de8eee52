import Basics
import EditLibrary
import EditModel
import FileSystem
import LivePhotoFormat

/// The starting point of an asset's next edit.
package struct EditStart {
  /// The number of the version that the edit is applied to; 0 is the original.
  package let base: Int
  /// The last edit if the next edit continues it. Otherwise nil: the base's pictures already contain the last edit.
  package let last: AdjustmentData?

  /// Continues the last edit from its base, or starts from the version that is displayed.
  ///
  /// - Parameters:
  ///   - record: The asset's record.
  ///   - resumes: Returns whether the edit of the current version can be decoded and rendered from its base again.
  package init(of record: AssetRecord, resumes: (Version) -> Bool) {
    if let current = record.currentVersion, resumes(current) {
      (base, last) = (current.base, current.adjustment)
    } else {
      (base, last) = (record.pictured, nil)
    }
  }
}

/// The starting point of an asset's next edit, with the files to read.
struct NextEdit: Sendable {
  /// The number of the version that the edit is applied to; 0 is the original.
  let base: Int
  /// The last edit if the next edit continues it, or nil.
  let last: AdjustmentData?
  /// The files to read, by role.
  let sources: [FileRole: String]
  /// The files and the edit from which the base was made if another program made the base's photo; otherwise nil.
  let adopted: AdoptedBase?
  /// The path of the XMP sidecar beside the originals, or nil if the originals have no sidecar.
  let sidecar: String?
  /// Whether the version whose edit is continued has a sidecar.
  let hasSidecar: Bool
  /// Remarks for the user, one sentence each.
  let notes: [Message]

  /// Determines where the next edit of an asset starts.
  ///
  /// - Throws: ``EditError`` if either half is missing.
  init(of state: AssetState, in library: Library) throws(EditError) {
    let record = state.record
    let start = EditStart(of: record) { $0.ownEdit != nil }
    (base, last) = (start.base, start.last)
    sources = try RenderPlan.sources(base, record, library)
    adopted = AdoptedBase(of: base, record, library)
    sidecar = try library.sidecarPath(of: record)
    hasSidecar = start.last != nil && record.currentVersion?.file(.sidecar) != nil
    var notes = state.notes
    if record.originals.count > sources.count {
      notes.append(
        "Version \(base), which another program made, is a photo without a movie, so edits based on that version have no movie either."
      )
    }
    self.notes = notes
  }
}

/// The change that turns an asset's last edit into the next edit.
package enum ChangeOfEdit: Sendable {
  /// A function that computes the next edit from the last edit and its files, the requested settings, and whether the
  /// edit includes the metadata in sidecars.
  case by(
    @Sendable (Edit, EditSource) throws(EditError) -> Edit, settings: SettingsChange,
    sidecars: SidecarUse = .ignore)
  /// An edit and its settings, independent of the last edit.
  case to(Edit, settings: RenderSettings)
}

/// A version to render: its files, its edit and its identifier.
package struct RenderPlan: Sendable {
  /// The number of the version that the edit is applied to; 0 is the original.
  let base: Int
  /// The edit to render.
  var edit: Edit
  /// The settings of the render.
  var settings: RenderSettings
  /// The files to read, by role.
  var sources: [FileRole: String]
  /// The files and the edit from which the base was made if another program made the base's photo; otherwise nil.
  private let adopted: AdoptedBase?
  /// The movie that provides the frames for the photo, if the movie itself is not rendered.
  private var frameSource: String?
  /// The movie that is left out because Live is off, if the photo is made from that movie's frames.
  var movieLeftOut: String? { frameSource }
  /// The photo's time in the movie, if the movie itself does not contain this time.
  private(set) var stillPlace: StillPlace?
  /// The identifier of the rendered files.
  var identifier: String?
  /// Whether the render gets an XMP sidecar.
  private(set) var writesSidecar = false
  /// Remarks for the user, one sentence each.
  var notes: [Message] = []

  /// The adjustment data that records the edit and its settings.
  var adjustment: AdjustmentData { AdjustmentData(edit: edit, settings: settings) }

  /// Plans the next edit. If liveedit made the last edit, the plan changes that edit and renders from the same base.
  /// Otherwise, the plan edits the files that are displayed now.
  init(_ next: NextEdit, _ change: ChangeOfEdit) throws(EditError) {
    base = next.base
    (sources, adopted) = (next.sources, next.adopted)
    notes = next.notes
    writesSidecar = next.hasSidecar
    switch change {
    case .to(let edit, let settings): (self.edit, self.settings) = (edit, settings)
    case .by(let change, let settings, let sidecars):
      let last = next.last?.decoded()
      var (source, start) = (EditSource(files: sources), last?.edit ?? .identity)
      if sidecars != .ignore, let path = next.sidecar,
        let sidecar = SidecarFacts(path: path, notes: &notes)
      {
        source.sidecar = sidecar
        start = try source.stating(sidecar, in: start)
      }
      edit = try change(start, source)
      if sidecars == .write { writesSidecar = true }
      // An edit that changes only metadata encodes nothing, so its settings do not apply to later edits.
      let settled = last?.edit.isOfFactsOnly == true ? nil : last?.settings
      self.settings = settings.applied(to: settled)
      if edit.isOfFactsOnly, !settings.asksForEncoder { self.settings = .standard }
      // The lossless setting is kept until an edit needs to decode pixels. If a lossless render is requested together
      // with such an edit, the edit is refused. A new trim turns the lossless setting off, unless it was requested, so
      // that no trimmed frames remain hidden in the file.
      let isTrimmedAnew = edit.motion.trim != nil && edit.motion.trim != last?.edit.motion.trim
      if !settings.isLossless, !edit.isTurnOnly || isTrimmedAnew { self.settings.isLossless = false }
    }
    try checkDescription()
    try leaveMovieOut()
    try addIdentifier()
  }

  /// Plans to render a version again without changes.
  init(again version: Version, of record: AssetRecord, in library: Library) throws(EditError) {
    guard let own = version.ownEdit, record.canRender(version) else {
      throw EditError(
        .notFound, file: record.originals.first.map { library.originalPath($0.name) },
        "has lost the files of version \(version.number), which cannot be rendered again",
        remedy: "switch to another version; liveedit history lists them")
    }
    base = version.base
    edit = own.edit
    settings = own.settings
    sources = try Self.sources(base, record, library)
    adopted = AdoptedBase(of: base, record, library)
    try leaveMovieOut()
    try addIdentifier()
  }

  /// Plans to render a version again with another effect. If liveedit made the version, it is rendered from its base;
  /// otherwise it is rendered from its own files.
  ///
  /// - Returns: Nil if the version already has the effect.
  /// - Throws: ``Basics/EditError`` if the movie is too short or too long for the effect.
  init?(
    playing effect: Motion.Effect, version number: Int, of record: AssetRecord, in library: Library
  ) throws(EditError) {
    let made = record.version(number).flatMap { record.canRender($0) ? $0 : nil }
    let own = made?.ownEdit
    guard effect != own?.edit.motion.effect ?? .none else { return nil }
    base = own == nil ? number : made?.base ?? number
    sources = try Self.sources(base, record, library)
    adopted = AdoptedBase(of: base, record, library)
    edit = try EditSource(files: sources).giving(effect, to: own?.edit ?? .identity)
    settings = own?.settings ?? .standard
    settings.isLossless = false
  }

  /// Returns whether a version is identical to what this build of liveedit would render from the plan.
  func isMade(by version: Version) -> Bool {
    guard let own = version.ownEdit, version.hasFiles, version.base == base else { return false }
    return own.edit == edit && own.settings == settings
      && (version.file(.sidecar) != nil) == writesSidecar
      && version.build.hasPrefix(LiveEditVersion.buildPrefix)
  }

  /// Checks that the recorded edit can be decoded later. The limits can be exceeded because one edit collects the
  /// keywords and names of many edits.
  private func checkDescription() throws(EditError) {
    guard !edit.facts.description.isNeutral, !adjustment.canHandle else { return }
    throw EditError(
      .invalidEdit, file: sources[.photo] ?? sources[.movie],
      "cannot store this much descriptive text: its edits together may add at most \(DescriptionChange.mostWords) keywords"
        + " and the same number of names, and remove the same numbers; each keyword or name may have at most"
        + " \(DescriptionChange.longestWord) bytes, and the whole edit at most 4 MB",
      remedy: "use fewer or shorter keywords and names")
  }

  /// Leaves the movie out if Live is off.
  private mutating func leaveMovieOut() throws(EditError) {
    guard edit.motion.isLiveOff else { return }
    guard sources[.photo] != nil else {
      throw EditError(
        .invalidEdit, file: sources[.movie], "has no photo to keep when Live is off",
        remedy: "name a Live Photo")
    }
    if edit.motion.keyPhoto != nil || edit.motion.effect == .longExposure { frameSource = sources[.movie] }
    sources[.movie] = nil
  }

  private mutating func addIdentifier() throws(EditError) {
    if edit.isIdentity { return }
    let adjustment = adjustment
    identifier = try NameBasedUUID.renderIdentifier(
      base: HalfIdentifier.shared(by: sources), adjustment: adjustment)
  }

  /// Returns the halves of a version or of the original, by role. A photo whose movie is missing is allowed, because
  /// Photos creates such a version if Live is turned off. A movie whose photo is missing is an error.
  package static func sources(
    _ base: Int, _ record: AssetRecord, _ library: Library
  ) throws(EditError) -> [FileRole: String] {
    let files = base == 0 ? record.originals : record.version(base)?.files ?? []
    var sources: [FileRole: String] = [:]
    for original in record.originals {
      guard let file = files.first(where: { $0.role == original.role }) else {
        if original.role == .movie, sources[.photo] != nil { continue }
        throw EditError(
          .notFound, file: library.originalPath(original.name),
          original.role == .photo
            ? "has no photo in its current version \(base), which another program made"
            : "has no movie in its current version \(base), which another program made",
          remedy:
            "put \(RenderNames.render(of: original.name, ofAsset: record.stem)) back, or use liveedit revert to edit the original"
        )
      }
      sources[original.role] = library.path(of: file, version: base, in: record)
    }
    return sources
  }

  /// Returns the job for the renderer.
  func job(outputs: [FileRole: String]) -> RenderJob {
    func half(_ role: FileRole) -> RenderJob.Half? {
      guard let source = sources[role], let output = outputs[role] else { return nil }
      return RenderJob.Half(source: source, output: output)
    }
    var job = RenderJob(
      photo: half(.photo), movie: half(.movie), frameSource: frameSource, edit: edit, settings: settings,
      identifier: identifier)
    job.stillPlace = stillPlace
    return adopted?.applied(to: job) ?? job
  }

  /// Returns the job that renders only the movie. If the edit uses a movie frame as the key photo, the job also renders
  /// the photo, because the movie cannot be rendered without it.
  ///
  /// - Parameters:
  ///   - movie: The path of the movie to write.
  ///   - photo: The path of the photo to write.
  func job(movie: String, photo: String) -> RenderJob {
    job(outputs: edit.motion.keyPhoto == nil ? [.movie: movie] : [.movie: movie, .photo: photo])
  }

  /// Splits a Motion Photo into a photo and a movie, so that each half can be rendered separately, for example for a
  /// preview.
  ///
  /// - Parameter folder: The folder for the two files.
  /// - Throws: ``Basics/EditError`` if the photo cannot be read or contains no movie.
  mutating func takeApart(in folder: ScratchFolder) throws(EditError) {
    guard sources[.movie] == nil, movieLeftOut == nil, let photo = sources[.photo],
      let files = try MotionPhotoFiles(ifIn: photo, folder)
    else { return }
    stillPlace = StillPlace(seconds: files.stillTime)
    sources[.photo] = files.photo
    if edit.motion.isLiveOff { frameSource = files.movie } else { sources[.movie] = files.movie }
  }
}
