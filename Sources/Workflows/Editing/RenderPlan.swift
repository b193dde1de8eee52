import Basics
import EditLibrary
import EditModel
import FileSystem
import LivePhotoFormat

/// The point from which the next edit of an asset starts.
package struct EditStart {
  /// The version that the edit is applied to; 0 is the original.
  package let base: Int
  /// The last edit, where it is resumed; otherwise it stays in the pictures of the base.
  package let last: AdjustmentData?

  /// Resumes the last edit from its base, or starts on top of the version that is shown.
  ///
  /// - Parameters:
  ///   - record: the asset.
  ///   - resumes: whether the edit of the current version is understood and can be rendered from its base again.
  package init(of record: AssetRecord, resumes: (Version) -> Bool) {
    if let current = record.currentVersion, resumes(current) {
      (base, last) = (current.base, current.adjustment)
    } else {
      (base, last) = (record.pictured, nil)
    }
  }
}

/// The point from which the next edit of an asset starts, with its files.
struct NextEdit: Sendable {
  /// The version that the edit is applied to; 0 is the original.
  let base: Int
  /// The last edit, where it is resumed.
  let last: AdjustmentData?
  /// The files that are read.
  let sources: [FileRole: String]
  /// The files behind the base, where another program made its photo.
  let adopted: AdoptedBase?
  /// The path of the XMP sidecar beside the originals; nil where there is none.
  let sidecar: String?
  /// True if the version whose edit is resumed has a sidecar.
  let hasSidecar: Bool
  /// Remarks for people, one sentence each.
  let notes: [Message]

  /// Finds out where the next edit of an asset starts.
  ///
  /// - Throws: ``EditError`` when a half is missing.
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
        "Version \(base), which another program made, is a photo without a movie, so edits of it have no movie either."
      )
    }
    self.notes = notes
  }
}

/// The way from the last edit of an asset to the next.
package enum ChangeOfEdit: Sendable {
  /// A function of the last edit and of the files that it is applied to, the settings that are asked for, and whether what
  /// sidecars say counts as a part of the last edit.
  case by(
    @Sendable (Edit, EditSource) throws(EditError) -> Edit, settings: SettingsChange,
    sidecars: SidecarUse = .ignore)
  /// An edit and its settings, whatever was before.
  case to(Edit, settings: RenderSettings)
}

/// A version to be rendered: its files, its edit and its identifier.
package struct RenderPlan: Sendable {
  /// The version that the edit is applied to; 0 is the original.
  let base: Int
  /// The edit.
  var edit: Edit
  /// The settings of the render.
  var settings: RenderSettings
  /// The files that are read.
  var sources: [FileRole: String]
  /// The files behind the base, where another program made its photo.
  private let adopted: AdoptedBase?
  /// The movie whose frames the photo is made of, where it is not rendered itself.
  private var frameSource: String?
  /// The movie that is left out because Live is off, where the photo is made of its frames.
  var movieLeftOut: String? { frameSource }
  /// The photo's place in the movie, where it is not the movie that marks it.
  private(set) var stillPlace: StillPlace?
  /// The identifier of the result.
  var identifier: String?
  /// True if the render gets an XMP sidecar.
  private(set) var writesSidecar = false
  /// Remarks for people, one sentence each.
  var notes: [Message] = []

  /// The edit and its settings as they are recorded.
  var adjustment: AdjustmentData { AdjustmentData(edit: edit, settings: settings) }

  /// Plans the next edit: the last one changed, from the same base, when liveedit made it; otherwise an edit of
  /// what stands there now.
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
      // An edit of facts alone encodes nothing, so it says nothing of how later ones are to be encoded.
      let settled = last?.edit.isOfFactsOnly == true ? nil : last?.settings
      self.settings = settings.applied(to: settled)
      if edit.isOfFactsOnly, !settings.asksForEncoder { self.settings = .standard }
      // Lossless stays what it was until an edit needs pixels; asked for with such an edit, it is refused.
      // A new trim leaves nothing hidden in the file unless that was asked for.
      let isTrimmedAnew = edit.motion.trim != nil && edit.motion.trim != last?.edit.motion.trim
      if !settings.isLossless, !edit.isTurnOnly || isTrimmedAnew { self.settings.isLossless = false }
    }
    try checkDescription()
    try leaveMovieOut()
    try addIdentifier()
  }

  /// Plans a version once more, as it was.
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

  /// Plans a version once more with another effect: from its own base where liveedit made it, otherwise from its files.
  ///
  /// - Returns: nil where the version has that effect already.
  /// - Throws: ``Basics/EditError`` when its movie is too short or too long for the effect.
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

  /// True if a version is what the plan would render, by this liveedit.
  func isMade(by version: Version) -> Bool {
    guard let own = version.ownEdit, version.hasFiles, version.base == base else { return false }
    return own.edit == edit && own.settings == settings
      && (version.file(.sidecar) != nil) == writesSidecar
      && version.build.hasPrefix(LiveEditVersion.buildPrefix)
  }

  /// Checks that the edit will be understood again: words of many edits come together in one.
  private func checkDescription() throws(EditError) {
    guard !edit.facts.description.isNeutral, !adjustment.canHandle else { return }
    throw EditError(
      .invalidEdit, file: sources[.photo] ?? sources[.movie],
      "cannot store this much description: its edits together may add at most \(DescriptionChange.mostWords) keywords"
        + " and as many names, and may remove as many; each keyword or name may have at most"
        + " \(DescriptionChange.longestWord) bytes, and the whole edit at most 4 MB",
      remedy: "use fewer or shorter keywords and names")
  }

  /// Leaves the movie out where Live is off.
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

  /// The halves of a version, or of the original, by role. A photo without its movie is one, as Photos makes it where
  /// Live is switched off; a movie without its photo is not.
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

  /// The job for the renderer.
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

  /// The job for the movie alone; where its photo is one of its frames, without which it is not rendered, for that as well.
  ///
  /// - Parameters:
  ///   - movie: where the movie goes.
  ///   - photo: where the photo goes.
  func job(movie: String, photo: String) -> RenderJob {
    job(outputs: edit.motion.keyPhoto == nil ? [.movie: movie] : [.movie: movie, .photo: photo])
  }

  /// Takes a Motion Photo apart, so that its halves can be rendered each for itself, as for a look at them.
  ///
  /// - Parameter folder: takes the two files.
  /// - Throws: ``Basics/EditError`` when it cannot be read, or holds no movie.
  mutating func takeApart(in folder: ScratchFolder) throws(EditError) {
    guard sources[.movie] == nil, movieLeftOut == nil, let photo = sources[.photo],
      let files = try MotionPhotoFiles(ifIn: photo, folder)
    else { return }
    stillPlace = StillPlace(seconds: files.stillTime)
    sources[.photo] = files.photo
    if edit.motion.isLiveOff { frameSource = files.movie } else { sources[.movie] = files.movie }
  }
}
