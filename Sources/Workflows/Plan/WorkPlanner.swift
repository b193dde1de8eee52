import Basics
import EditLibrary
import EditModel
import FileSystem
import FoundationEssentials
import RenderClient

/// Creates a plan from the renders of a batch.
package struct WorkPlanner {
  /// The root folder, kept open. Inputs are opened only relative to this folder.
  private let root: HeldFolder
  /// The path of the root, with all symbolic links resolved.
  private let path: String
  private let engine: String
  private var edits: [AdjustmentData: Int] = [:]
  private var list: [AdjustmentData] = []
  private var jobs: [WorkPlan.Job] = []
  /// The paths of folders, with all symbolic links resolved.
  private var folders: [ExactName: String] = [:]
  /// The total time of the task to which jobs are being added, in seconds on one processor.
  private var seconds = 0.0

  /// The intended duration of a task, in seconds on one processor.
  private static let taskTime = 60.0

  /// - Parameters:
  ///   - root: The folder that contains all inputs.
  ///   - engine: The programs and libraries that are required to render the jobs, see ``HelperRenderer/engine()``.
  /// - Throws: ``EditError`` if the folder does not exist.
  package init(root: String, engine: String) throws(EditError) {
    (self.root, self.engine) = (try whileReading(FilePath.shown(root)) { try HeldFolder(path: root) }, engine)
    path = try Self.realPath(root)
  }

  /// Returns the deepest folder that contains all given folders.
  ///
  /// - Parameter folders: The paths of the folders.
  /// - Returns: The path of the containing folder, with all symbolic links resolved.
  /// - Throws: ``EditError`` if a folder cannot be opened.
  package static func root(of folders: [String]) throws(EditError) -> String {
    var common: [Substring]?
    for folder in folders {
      let parts = try realPath(folder).split(separator: "/")
      guard let known = common else {
        common = parts
        continue
      }
      common = Array(zip(known, parts).prefix { $0 == $1 }.map(\.0))
    }
    return "/" + (common ?? []).joined(separator: "/")
  }

  private static func realPath(_ folder: String) throws(EditError) -> String {
    try whileReading(FilePath.shown(folder)) {
      let bytes = try HeldFolder(path: folder).realPath
      guard let path = String(validating: bytes, as: UTF8.self) else {
        throw EditError(
          .unsupported, file: folder, "has a path that is not valid UTF-8",
          remedy: "rename the folders in its path")
      }
      return path
    }
  }

  /// The number of jobs so far.
  package var count: Int { jobs.count }
  /// The number of tasks so far.
  package var taskCount: Int { jobs.last?.task ?? 0 }

  /// Adds the render of an asset.
  ///
  /// - Parameter planned: The asset with its target state.
  /// - Returns: False if the asset does not need to be rendered.
  /// - Throws: ``EditError`` if an input cannot be read or is not inside the root.
  package mutating func add(_ planned: BatchPlanner.Planned) throws(EditError) -> Bool {
    guard case .edited(let outcome)? = planned.outcome, outcome.action == .rendered,
      let plan = planned.render,
      let position = planned.item.position
    else { return false }
    let asset = planned.item.asset
    let named = plan.job(outputs: plan.sources.mapValues { _ in "" })
    var places: [ExactName: String] = [:]
    var inputs: [WorkPlan.Input] = []
    for source in asset.halves.map({ asset.path($0.name) }) + named.sources
    where places[ExactName(source)] == nil {
      let place = try place(of: source)
      places[ExactName(source)] = place
      inputs.append(try input(place, shown: source))
    }
    var render = named.named(source: { places[ExactName($0)] ?? "" }, output: { $0 })
    (render.edit, render.settings) = (.identity, .standard)
    let adjustment = plan.adjustment
    let seconds = RenderCost.seconds(of: named)
    if taskCount == 0 || self.seconds + seconds > Self.taskTime { self.seconds = 0 }
    let job = WorkPlan.Job(
      task: self.seconds == 0 ? taskCount + 1 : taskCount, folder: try below(asset.folder),
      photo: asset.photo,
      movie: asset.movie, wholeName: asset.wholeName, position: position, base: plan.base,
      edit: number(of: adjustment), inputs: inputs,
      render: render, key: try key(render, adjustment, inputs), seconds: (1000 * seconds).rounded() / 1000)
    self.seconds += seconds
    jobs.append(job)
    return true
  }

  /// Returns the plan with everything that was added.
  ///
  /// - Parameters:
  ///   - words: The arguments of the planned command line.
  ///   - layout: The layout of the library, which determines where the renders are stored.
  package mutating func plan(_ words: [String], _ layout: LibraryLayout) throws(EditError) -> WorkPlan {
    var head = WorkPlan.Head(
      plan: BatchRecord.identifier(), words: words, root: path, engine: engine, time: HostSystem.now)
    if let library = layout.library {
      head.library = library.hasPrefix("/") ? library : FilePath.joined(try Self.realPath(""), library)
      head.trees = try layout.trees.map { tree throws(EditError) in try below(tree) }
    }
    return WorkPlan(head, edits: list, jobs: jobs)
  }

  private mutating func number(of adjustment: AdjustmentData) -> Int {
    if let known = edits[adjustment] { return known }
    edits[adjustment] = list.count
    list.append(adjustment)
    return list.count - 1
  }

  /// Returns the path of a folder relative to the root.
  private mutating func below(_ folder: String) throws(EditError) -> String {
    let real: String
    if let known = folders[ExactName(folder)] {
      real = known
    } else {
      real = try Self.realPath(folder)
      folders[ExactName(folder)] = real
    }
    if real == path { return "" }
    let start = path == "/" ? path : path + "/"
    guard real.hasPrefix(start) else {
      throw EditError(
        .invalidEdit, file: FilePath.shown(folder), "is not inside \(path)",
        remedy: "name a folder that contains all originals with --root")
    }
    return String(real.dropFirst(start.count))
  }

  private mutating func place(of file: String) throws(EditError) -> String {
    let (folder, name) = FilePath.split(file)
    return FilePath.joined(try below(folder), name)
  }

  private func input(_ place: String, shown: String) throws(EditError) -> WorkPlan.Input {
    let source = try whileReading(shown) { try root.source(place) }
    return WorkPlan.Input(
      path: place, size: source.count, sha256: try whileReading(shown) { try Digest.sha256(of: source) })
  }

  /// Everything that determines the bytes of a job's results.
  private struct Address: Encodable {
    var engine: String
    var format: String
    var formatVersion: String
    var data: Data
    var render: RenderJob
  }

  private func key(
    _ render: RenderJob, _ adjustment: AdjustmentData, _ inputs: [WorkPlan.Input]
  ) throws(EditError) -> String {
    let hashes = Dictionary(inputs.map { ($0.path, $0.sha256) }, uniquingKeysWith: { first, _ in first })
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let address = Address(
      engine: engine, format: adjustment.formatIdentifier, formatVersion: adjustment.formatVersion,
      data: adjustment.data, render: render.named(source: { hashes[$0] ?? "" }, output: { $0 }))
    let bytes: [UInt8]
    do { bytes = Array(try encoder.encode(address)) } catch {
      throw EditError(.invalidEdit, "the plan cannot be encoded")
    }
    return Digest.hexadecimal(try Digest.of(bytes, .sha256))
  }
}

extension HelperRenderer {
  /// Returns a description of the programs and libraries that determine the bytes of renders. Equal descriptions mean
  /// that the results are byte-identical.
  ///
  /// - Throws: ``EditError`` if the helper cannot be run or crashes.
  package func engine() throws(EditError) -> String {
    let libraries = try description().libraries.map { library in
      "\(library.name) \(library.version)" + (library.build.map { " (\($0))" } ?? "")
    }
    return (["liveedit \(LiveEditVersion.current)"] + libraries).joined(separator: ", ")
  }
}
