internal import Basics
internal import EditModel
internal import FileSystem
internal import FoundationEssentials
internal import Synchronization
internal import Workflows

/// A requested change to assets.
struct RequestedChange: Decodable, Sendable {
  /// A target version, given as a number or a keyword.
  enum Target: Decodable, Sendable {
    case number(Int)
    case word(String)

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let number = try? container.decode(Int.self) {
        self = .number(number)
      } else {
        self = .word(try container.decode(String.self))
      }
    }
  }

  var type: String
  var degrees: Int?
  var axis: String?
  var presets: [String]?
  var intensity: Double?
  var replace: Bool?
  var only: [String]?
  var from: String?
  var to: Target?
  var reset: [String]?
}

/// The edit that a change contains. The edit is decoded separately because its form depends on the type of the change.
private struct CarriedEdit<Value: Decodable>: Decodable {
  struct Change: Decodable {
    var edit: Value
  }
  var change: Change
}

extension Studio {
  private struct Body: Decodable {
    var assets: [String]
    var change: RequestedChange
    var dryRun: Bool?
    /// The revision that the asset must have; used only for a single asset.
    var revision: String?
  }

  /// A requested change after parsing.
  private struct Aim {
    /// Returns the job's title, based on a description of the job's assets.
    var title: @Sendable (Message) -> Message
    var aim: BatchPlanner.Aim
    /// Whether the change requires an analysis of pictures.
    var needsPictures = false
  }

  /// Handles `POST edits`.
  func edit(_ request: HTTPRequest) async throws(RouteError) -> HTTPResponse {
    let body = try request.decoded(Body.self)
    let isPlan = body.dryRun ?? false
    guard !isPlan || body.assets.count <= Self.mostPlanned else {
      throw .usage("“assets” must contain 1 to \(Self.mostPlanned) asset names")
    }
    let found = try await names.located(body.assets)
    let single = try await single(of: found)
    if let revision = body.revision, single?.revisionName != revision { throw Self.changedMeanwhile }
    let aim = try await aim(body.change, request)
    let files = found.files
    let layout = folders.layout
    if isPlan {
      let results = try await liveEdit { () throws(EditError) in
        try await withWorkerThread(about: nil) { isCancelled throws(EditError) in
          let editor = AssetEditor(renderer: self.renderer, layout: layout, isCancelled: isCancelled)
          return try self.planned(files, aim, editor)
        }
      }
      return HTTPResponse(json: ResultsAnswer(results: results + failures(found.missing)))
    }
    let jobs = options.jobs
    let title = aim.title(Self.named(single, of: found.count))
    let job = try self.jobs.add(title, total: found.count) { _, reporter in
      for result in self.failures(found.missing) { reporter.finish(found.count, result) }
      @Sendable func fail(_ place: Int, _ error: EditError) {
        reporter.finish(place, self.failure(error, files[place].path, of: files[place].name))
      }
      if let single, let error = Self.change(of: single, in: files[0].folder, since: body.revision) {
        return fail(0, error)
      }
      let editor = AssetEditor(renderer: self.renderer, layout: layout, isCancelled: reporter.isCancelled)
      let (batch, places) = self.batch(files, aim, layout, fail: fail)
      BatchRunner(editor, jobs: jobs).run(batch) { event in
        switch event {
        case .begun, .withdrawn, .stopped: break
        case .progress(let index, let progress): reporter.progress(places[index], progress.fraction)
        case .done(let index, let outcome):
          let place = places[index]
          reporter.finish(
            place, self.json(Answer(outcome, batch.items[index], isPlan: false), of: files[place].name))
        case .failed(let index, let error): fail(places[index], error)
        }
      }
    }
    return HTTPResponse(202, json: JobAnswer(job: job))
  }

  private static let changedMeanwhile = RouteError.outdated(
    "the item has changed in the meantime; load it again")

  /// Returns the reason why an asset must not be edited, if any. An earlier edit in the queue may have changed the
  /// asset in the meantime.
  ///
  /// - Parameter revision: The revision that the asset must have; nil for any revision.
  private static func change(
    of asset: IndexedAsset, in folder: ServedFolder, since revision: String?
  ) -> EditError? {
    guard let revision else { return nil }
    do throws(EditError) {
      let now = try folder.library.asset(named: asset.name)
      return now?.revisionName == revision ? nil : changedMeanwhile.parts.error
    } catch {
      return error
    }
  }

  /// Returns the results for requested assets that do not exist.
  func failures(_ missing: [(name: String, path: String?, error: EditError)]) -> [RawJSON] {
    missing.map { failure($0.error, $0.path, of: $0.name) }
  }

  /// If a job has a single asset, looks up and returns the asset before the job starts. A job with several assets looks
  /// up its assets itself.
  ///
  /// - Throws: ``RouteError`` if the asset does not exist.
  func single(of found: AssetNames.Located) async throws(RouteError) -> IndexedAsset? {
    found.count == 1 ? try await names.asset(found.files[0].name).asset : nil
  }

  /// The maximum number of assets in a dry run.
  private static let mostPlanned = 100

  /// Returns the batch for some assets, grouped by folder.
  ///
  /// - Parameter fail: A closure that receives each asset that cannot be found.
  /// - Returns: The batch, and the index in `files` for each of the batch's items.
  private func batch(
    _ files: [(path: String, folder: ServedFolder, name: String)], _ aim: Aim, _ layout: LibraryLayout,
    fail: (Int, EditError) -> Void
  ) -> (Batch, [Int]) {
    var items: [(item: Batch.Item, place: Int)] = []
    var folder: Int?
    var locator = AssetLocator(layout: layout)
    for place in files.indices.sorted(by: { (files[$0].path, $0) < (files[$1].path, $1) }) {
      let (path, own, _) = files[place]
      // Caching the names of a single folder is sufficient.
      if own.number != folder { locator = AssetLocator(layout: layout) }
      folder = own.number
      do throws(EditError) {
        try whileReading(path) { try GuardedFolders.check(own.guarded) }
        let asset = try locator.locate(path)
        items.append((Batch.Item(asset: asset, file: path, position: nil, target: nil), place))
      } catch {
        fail(place, error)
      }
    }
    let batch = Batch(identifier: nil, isEach: true, aim: aim.aim, items: items.map(\.item))
    return (batch, items.map(\.place))
  }

  /// Returns the results that a change would produce for each asset.
  private func planned(
    _ files: [(path: String, folder: ServedFolder, name: String)], _ aim: Aim, _ editor: AssetEditor
  ) throws(EditError) -> [RawJSON] {
    var results = [RawJSON?](repeating: nil, count: files.count)
    let (batch, places) = batch(files, aim, folders.layout) { index, error in
      results[index] = failure(error, files[index].path, of: files[index].name)
    }
    let planner = try BatchPlanner(batch, isLate: false, isRelative: false, by: editor)
    var start = 0
    while start < batch.items.count {
      var end = start
      while end < batch.items.count, batch.items[end].asset.place == batch.items[start].asset.place {
        end += 1
      }
      for (offset, plan) in planner.plan(Array(batch.items[start..<end])).enumerated() {
        let place = places[start + offset]
        do throws(EditError) {
          let rehearsed = try planner.rehearse(plan.get(), by: renderer)
          guard let outcome = rehearsed.outcome else { continue }
          results[place] = json(Answer(outcome, rehearsed.item, isPlan: true), of: files[place].name)
        } catch {
          results[place] = failure(error, files[place].path, of: files[place].name)
        }
      }
      start = end
    }
    return results.compactMap { $0 }
  }

  /// Returns a description of the assets for a job's title: the name of a single asset, or the number of assets.
  ///
  /// - Parameters:
  ///   - single: The asset, if the job has only one asset.
  ///   - count: The number of requested assets, including missing ones.
  static func named(_ single: IndexedAsset?, of count: Int) -> Message {
    if let single { return "\(single.stem)" }
    return .plural(count, "\(count) asset", "\(count) assets")
  }

  /// Parses a change.
  private func aim(_ change: RequestedChange, _ request: HTTPRequest) async throws(RouteError) -> Aim {
    var settings = SettingsChange()
    settings.defaults = options.settings
    func edit(
      title: @escaping @Sendable (Message) -> Message, needsPictures: Bool = false,
      _ body: @escaping @Sendable (Edit, EditSource) throws(EditError) -> Edit
    ) -> Aim {
      Aim(title: title, aim: .edit(.by(body, settings: settings)), needsPictures: needsPictures)
    }
    switch change.type {
    case "turn":
      guard let degrees = change.degrees, [90, 180, 270, -90].contains(degrees) else {
        throw .usage("“change.degrees” must be 90, 180, 270 or -90")
      }
      let turn = Orientation(quarterTurns: degrees / 90)
      return edit(title: { "Rotate \($0)" }) { edit, _ in edit.turned(turn) }
    case "flip":
      guard let axis = change.axis, ["horizontal", "vertical"].contains(axis) else {
        throw .usage("“change.axis” must be horizontal or vertical")
      }
      let turn: Orientation = axis == "horizontal" ? .flippedHorizontally : .flippedVertically
      return edit(title: { "Mirror \($0)" }) { edit, _ in edit.turned(turn) }
    case "apply":
      guard let names = change.presets, !names.isEmpty, names.count <= 20 else {
        throw .usage("“change.presets” must contain 1 to 20 preset names")
      }
      guard 0...1 ~= change.intensity ?? 1 else {
        throw .usage("“change.intensity” must be a number from 0 to 1")
      }
      let presets = try names.map { name throws(RouteError) in try preset(name) }
      let applied = Self.change(
        applying: presets, intensity: change.intensity ?? 1, isReplacing: change.replace ?? false,
        settings: settings)
      return Aim(title: { "Apply \(names.joined(separator: ", ")) to \($0)" }, aim: .edit(applied))
    case "auto":
      let parts = try Self.parts(change.only, among: [.light, .color, .geometry])
      return edit(title: { "Auto-adjust \($0)" }, needsPictures: true) {
        [renderer] edit, source throws(EditError) in
        try renderer.propose(
          AutoJob(photo: source.files[.photo], movie: source.files[.movie]), isCancelled: { false }
        )
        .applied(to: edit, parts)
      }
    case "copy":
      guard let name = change.from else { throw .usage("“change.from” must be an asset name") }
      let other = try await names.asset(name).asset
      let copied = try await liveEdit { () throws(EditError) in
        try await withWorkerThread(about: other.path) { _ throws(EditError) in
          try AssetHistory(path: other.path, layout: other.layout).editToCopy()
        }
      }
      let partial = PartialEdit(Set(EditPart.allCases), of: copied)
      return edit(title: { "Paste the edit of \(other.stem) to \($0)" }) { edit, source throws(EditError) in
        var changed = partial.applied(to: edit)
        changed.motion = edit.motion
        return try source.taking(MotionPart.portable, of: copied.motion, in: changed)
      }
    case "set":
      let new = try request.decoded(CarriedEdit<Edit>.self).change.edit
      return edit(title: { "Edit \($0)" }) { edit, source throws(EditError) in
        var checked = try source.checked(new)
        // The editor does not show dates and locations, so the edit's dates and locations are kept.
        checked.facts = edit.facts
        return checked
      }
    case "merge":
      var partial = try request.decoded(CarriedEdit<PartialEdit>.self).change.edit
      if let reset = change.reset { partial.resets = try Self.parts(reset, among: EditPart.allCases) }
      return edit(title: { "Edit \($0)" }) { [partial] edit, _ in partial.applied(to: edit) }
    case "revert":
      switch change.to ?? .word("previous") {
      case .word("previous"): return Aim(title: { "Revert \($0)" }, aim: .version(.previous))
      case .word("original"), .number(0):
        return Aim(title: { "Revert to the original: \($0)" }, aim: .version(.original))
      case .number(let number) where number > 0:
        return Aim(title: { "Return to version \(number) of \($0)" }, aim: .version(.number(number)))
      default: throw .usage("“change.to” must be previous, original or a number")
      }
    case "redo": return Aim(title: { "Redo \($0)" }, aim: .version(.next))
    default:
      throw .usage("“change.type” must be turn, flip, apply, auto, copy, set, merge, revert or redo")
    }
  }

  static func parts(_ words: [String]?, among known: [EditPart]) throws(RouteError) -> Set<EditPart> {
    guard let words else { return Set(known) }
    return Set(
      try words.map { word throws(RouteError) in
        guard let part = known.first(where: { $0.rawValue == word }) else {
          throw .usage(
            "“\(word)” is not a valid part; use \(known.map(\.rawValue).joined(separator: ", "))")
        }
        return part
      })
  }

  /// Returns the change that applies presets to an edit.
  static func change(
    applying presets: [Preset], intensity: Double, isReplacing: Bool,
    settings: SettingsChange = SettingsChange()
  ) -> ChangeOfEdit {
    .by(
      function(applying: presets, intensity: intensity, isReplacing: isReplacing), settings: settings)
  }

  /// Returns the function that applies presets to an edit.
  static func function(
    applying presets: [Preset], intensity: Double, isReplacing: Bool
  ) -> @Sendable (Edit, EditSource) throws(EditError) -> Edit {
    let layers = presets.map { $0.edit.scaled(by: intensity) }
    return { edit, source throws(EditError) in
      let before = edit.motion
      var changed = layers.reduce(isReplacing ? edit.without(EditPart.appearance) : edit) {
        $1.applied(to: $0)
      }
      changed.motion = before
      guard let effect = layers.compactMap(\.effect).last else { return changed }
      var motion = Motion.neutral
      motion.effect = effect
      return try source.taking([.effect], of: motion, in: changed)
    }
  }

  /// Returns the preset with a given name. If the name looks like a path, the server does not read a file.
  func preset(_ name: String) throws(RouteError) -> Preset {
    let ending = name.lowercased()
    guard !ending.hasSuffix(".json"), !ending.hasSuffix(".cube"), !name.contains("/") else {
      throw .notFound("there is no preset “\(name)”")
    }
    do throws(EditError) {
      return try PresetLibrary().preset(name)
    } catch {
      throw .failed(error)
    }
  }
}

/// The results for several assets.
struct ResultsAnswer: Encodable {
  var schema = 1
  var results: [RawJSON]
}
