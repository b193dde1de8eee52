import Basics
import EditLibrary
import EditModel
import FileSystem
import LivePhotoFormat

/// Adopts photos that other programs edited. The edited photo is kept unchanged, and the movie is rendered with the
/// edit that is detected in the photo.
package struct Adoption: Sendable {
  /// A part of an edit that can be detected separately.
  package enum Part: String, CaseIterable, Sendable {
    /// Rotation, mirroring, straightening, perspective and crop.
    case geometry
    /// Light and colour.
    case color
  }

  private let renderer: any Renderer & EditMatcher
  private let layout: LibraryLayout
  private let only: Part?
  private let reports: String?
  private let isTrial: Bool
  private let progress: @Sendable (RenderProgress) -> Void
  private let isCancelled: @Sendable () -> Bool
  private let report: @Sendable (Message) -> Void

  /// - Parameters:
  ///   - renderer: The renderer that compares pictures and renders edits.
  ///   - layout: The layout of the library, which determines where the renders are stored.
  ///   - only: The only part of an edit to detect, or nil for all parts.
  ///   - reports: A folder for pictures that show the detected edit, or nil for none.
  ///   - isTrial: Whether to detect the edit without changing anything.
  ///   - progress: Called repeatedly while the edit is rendered, from any thread.
  ///   - isCancelled: Called repeatedly, from any thread. If the function returns true, the work stops and the old
  ///     versions are kept.
  ///   - report: Receives messages about waiting and about commits that were completed or rolled back, one sentence
  ///     each.
  package init(
    renderer: any Renderer & EditMatcher, layout: LibraryLayout = .besideOriginals, only: Part? = nil,
    reports: String? = nil, isTrial: Bool = false,
    progress: @escaping @Sendable (RenderProgress) -> Void = { _ in },
    isCancelled: @escaping @Sendable () -> Bool = { false },
    report: @escaping @Sendable (Message) -> Void = { _ in }
  ) {
    (self.renderer, self.layout, self.only) = (renderer, layout, only)
    (self.reports, self.isTrial) = (reports, isTrial)
    (self.progress, self.isCancelled, self.report) = (progress, isCancelled, report)
  }

  /// The result for one asset.
  package struct Outcome: Sendable {
    /// The result of the edit.
    package var edited: EditOutcome
    /// The photo that was adopted, or nil if no photo was found.
    package var photo: String?
    /// The detected edit and how well it explains the photo, or nil if no photos were compared.
    package var found: FoundEdit?
  }

  /// Adopts the edited photo of an asset.
  ///
  /// - Parameters:
  ///   - path: A file of the asset.
  ///   - edited: The edited photo. If nil, the function uses the edited photo that is stored beside the original under
  ///     the corresponding name.
  /// - Returns: The result. Its action is `unchanged` if no edited photo beside the original needs a movie.
  /// - Throws: ``Basics/EditError`` if the photo cannot be adopted. Nothing is changed in that case.
  package func adopt(_ path: String, from edited: String? = nil) throws(EditError) -> Outcome {
    var locator = AssetLocator(layout: layout, recovers: false)
    let asset = try locator.locate(path)
    let library =
      try isTrial
      ? Library.forReading(asset.folder, layout: layout, beforeWriting: true, report: report)
      : Library.forWriting(asset.folder, layout: layout, isCancelled: isCancelled, report: report)
    defer { library.close() }
    let state = try library.state(of: asset)
    let originals = try RenderPlan.sources(0, state.record, library)
    guard let photo = originals[.photo], let movie = originals[.movie] else {
      throw EditError(
        .pairing, file: originals.values.first, originals[.photo] == nil ? "has no photo" : "has no movie",
        remedy: "name a Live Photo")
    }
    var outcome = Outcome(edited: EditOutcome(asset: asset, edit: .identity, settings: .standard))
    outcome.edited.asset.notes += state.notes
    let apple = edited == nil ? try appleEdit(of: state.record, photo) : nil
    let beside = edited == nil ? foreignPhoto(in: state.record, library, apple != nil, &outcome) : nil
    guard let source = edited ?? beside else {
      guard let apple, state.record.currentVersion?.hasRender == false else { return outcome }
      library.close()
      return try render(apple, of: asset, EditSource(files: originals))
    }
    outcome.photo = source

    let kind = try readFile(source) {
      (own: try Photo($0).kind.flatMap { $0.isOfLivePhotos ? $0 : nil }, foreign: try ForeignPhoto($0))
    }
    guard kind.own != nil || kind.foreign != nil else {
      throw EditError(
        .invalidFile, file: source, "is not a photo", remedy: "name a JPEG, HEIC, PNG, TIFF or WebP photo")
    }
    // The renderer can write to the folder of its outputs, so that folder must not contain other files.
    let scratch = try reports == nil ? nil : ScratchFolder()
    var job = MatchJob(
      original: photo, edited: source, known: only == .color ? .identity : nil,
      wantsColors: only != .geometry, report: scratch?.file("report.jpg"))
    if let apple {
      if apple.hasExactGeometry, only != .color { job.known = apple.edit }
      if apple.edit.motion.keyPhoto != nil { job.keyFrame = .init(movie: movie, motion: apple.edit) }
    }
    let (compared, kept) = (SteadyFiles([photo, movie, source]), SteadyFiles([source]))
    var found = try compared.during { () throws(EditError) in
      try renderer.match(job, isCancelled: isCancelled)
    }
    if let reports, let made = job.report {
      try placeFile(made, at: FilePath.joined(reports, asset.stem + "-adopted.jpg"))
    }
    if let apple {
      found.edit.motion = try EditSource(files: originals).checked(Edit(motion: apple.edit.motion)).motion
      outcome.edited.asset.notes += apple.notes
      if !apple.words.isEmpty {
        outcome.edited.asset.notes.append(
          "Estimated by comparing the pictures: \(apple.words.joined(separator: ", ")).")
      }
    }
    outcome.found = found
    outcome.edited.edit = found.edit
    outcome.edited.asset.notes += found.sentences(isPlaceFound: job.known == nil)
    let adjustment = AdjustmentData(edit: found.edit, settings: .standard, isAdopted: true)
    if let current = state.record.currentVersion, current.origin == .adopted,
      current.adjustment == adjustment
    {
      outcome.edited.asset.notes = ["This edit has already been adopted."]
      return outcome
    }
    let identifier = try NameBasedUUID.renderIdentifier(
      base: HalfIdentifier.shared(by: originals), adjustment: adjustment)
    outcome.edited.action = .rendered
    outcome.edited.identifier = identifier
    let otherKind = try RenderNames.otherKind(thanOriginal: photo, kind.own)
    outcome.edited.written =
      asset.halves.map { half, name in
        state.renderPath(
          RenderNames.render(of: name, ofAsset: asset.stem, as: half == .photo ? otherKind : nil))
      } + [state.renderPath(RenderNames.adjustments(of: asset.stem))]
    if isTrial { return outcome }

    try library.checkNames(of: state.record)
    let outputs = [
      FileRole.photo: try library.workFile("photo"), .movie: try library.workFile("movie"),
    ]
    try make(
      state.record, source, kind.own != nil, found.edit, photo, movie, identifier, outputs, &outcome.edited)
    try kept.check()
    let commit = try library.addingVersion(
      to: state, base: 0, adjustment: adjustment, outputs: outputs, origin: .adopted,
      build: outcome.edited.result?.build ?? "")
    outcome.edited.version = commit.after.current
    outcome.edited.removed = commit.removedNames.map(library.path)
    outcome.edited.written = commit.shownNames.map(library.path)
    try library.commit([commit])
    return outcome
  }

  /// Returns the edit that Apple's adjustment data beside an original describes, or nil if there is no such data.
  private func appleEdit(of record: AssetRecord, _ photo: String) throws(EditError) -> AppleAdjustments? {
    guard let current = record.currentVersion, current.origin == .foreign, let data = current.adjustment
    else { return nil }
    return try readFile(photo) { source in
      let metadata = try Photo(source).metadata()
      return AppleAdjustments(
        data,
        of: AppleAdjustments.Original(
          width: metadata.storedWidth, height: metadata.storedHeight, orientation: metadata.orientation))
    }
  }

  /// Renders the edit that Apple's adjustment data describes exactly, because its edited photo is missing. The result
  /// is a version like the version of any other edit.
  private func render(
    _ apple: AppleAdjustments, of asset: OriginalFiles, _ source: EditSource
  ) throws(EditError) -> Outcome {
    var edit = apple.edit
    if only == .color { (edit.orientation, edit.geometry) = (.identity, .neutral) }
    edit = try source.checked(edit)
    var outcome = Outcome(edited: EditOutcome(asset: asset, edit: edit, settings: .standard))
    if isTrial {
      outcome.edited.action = edit.isIdentity ? .unchanged : .rendered
    } else if !edit.isIdentity {
      let editor = AssetEditor(
        renderer: renderer, layout: layout, progress: progress, isCancelled: isCancelled, report: report)
      if let edited = try editor.edit(asset, .to(edit, settings: .standard)) { outcome.edited = edited }
    }
    outcome.edited.asset.notes += apple.notes
    if !apple.words.isEmpty {
      outcome.edited.asset.notes.append(
        "Not imported, because no edited photo is available for comparison: \(apple.words.joined(separator: ", "))."
      )
    }
    return outcome
  }

  /// Returns the photo that another program stored beside an original, if the movie is still unedited.
  private func foreignPhoto(
    in record: AssetRecord, _ library: Library, _ hasAppleEdit: Bool, _ outcome: inout Outcome
  ) -> String? {
    guard let current = record.currentVersion, current.origin != .rendered, current.origin != .adopted,
      let file = current.file(.photo)
    else {
      if hasAppleEdit { return nil }
      let name = record.originals.first { $0.role == .photo }?.name ?? record.stem
      outcome.edited.asset.notes.append(
        "The folder has no \(RenderNames.render(of: name)) from another program. Name an edited photo with --photo."
      )
      return nil
    }
    if current.file(.movie) != nil {
      outcome.edited.asset.notes.append(
        "The same program also edited the movie. To adopt only the photo, use --photo \(file.name).")
      return nil
    }
    return library.path(of: file, version: current.number, in: record)
  }

  /// Writes the files of the new version.
  private func make(
    _ record: AssetRecord, _ source: String, _ isKept: Bool, _ edit: Edit, _ photo: String, _ movie: String,
    _ identifier: String?, _ outputs: [FileRole: String], _ outcome: inout EditOutcome
  ) throws(EditError) {
    guard let photoOutput = outputs[.photo], let movieOutput = outputs[.movie] else { return }
    var adopted = RenderJob.Adopted(edit: edit, photo: photo)
    if !isKept { adopted.picture = source }
    let job = RenderJob(
      photo: isKept ? nil : RenderJob.Half(source: photo, output: photoOutput),
      movie: RenderJob.Half(source: movie, output: movieOutput), edit: .identity,
      adopted: isKept && edit.isIdentity ? nil : adopted, settings: .standard, identifier: identifier)
    var result = try record.render(job, of: outcome.asset.folder) { job throws(EditError) in
      try renderer.render(job, progress: progress, isCancelled: isCancelled)
    }
    if isKept {
      var removals: [Removal] = []
      try changeFile(source, to: photoOutput) { source, sink in
        let original = try Photo(FileByteSource(path: photo))
        removals = try Photo(source).write(completedBy: original, tiedBy: identifier, to: sink)
      }
      result.photo = .copied
      result.removals = removals + result.removals
    }
    outcome.result = result
    try HalfIdentifier.check(outputs, carry: identifier)
    if isCancelled() { throw EditError(.cancelled, "stopped on request") }
  }
}

extension FoundEdit {
  /// Returns sentences that tell the user how well the edit explains the photo.
  ///
  /// - Parameter isPlaceFound: Whether the geometry was determined by comparing the pictures.
  fileprivate func sentences(isPlaceFound: Bool) -> [Message] {
    func hundredths(_ value: Double) -> Message { "\(decimal: "\((value * 100).rounded() / 100)")" }
    var sentences: [Message] = []
    switch (isPlaceFound, colorError) {
    case (true, nil):
      sentences.append(
        "Positions match within \(hundredths(placeError)) thousandths of the picture width (root mean square)."
      )
    case (true, let error?):
      sentences.append(
        "Positions match within \(hundredths(placeError)) thousandths of the picture width (root mean square), colours within a mean ΔE2000 of \(hundredths(error))."
      )
    case (false, let error?): sentences.append("Colours match within a mean ΔE2000 of \(hundredths(error)).")
    case (false, nil): break
    }
    let percent = unexplained * 100
    if percent >= 0.5 {
      let share = percent < 10 ? "\((percent * 10).rounded() / 10)" : "\(Int(percent.rounded()))"
      sentences.append(
        unexplainedPlace.map {
          "In \(decimal: share)% of the picture (\($0.words)), the photo differs from what the movie can show."
        } ?? "In \(decimal: share)% of the picture, the photo differs from what the movie can show.")
    }
    return sentences
  }
}

extension FoundEdit.Place {
  /// The position in words: “top left”.
  fileprivate var words: Message {
    if width > 0.7, height > 0.7 { return "spread out" }
    func third(_ place: Double) -> Int { min(max(Int(place * 3), 0), 2) }
    switch (third(top + height / 2), third(left + width / 2)) {
    case (0, 0): return "top left"
    case (0, 1): return "top"
    case (0, _): return "top right"
    case (1, 0): return "left"
    case (1, 1): return "centre"
    case (1, _): return "right"
    case (_, 0): return "bottom left"
    case (_, 1): return "bottom"
    default: return "bottom right"
    }
  }
}
