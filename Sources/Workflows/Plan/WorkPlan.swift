import Basics
import EditLibrary
import EditModel
import FileSystem
import FoundationEssentials

/// Edits that are planned but not yet rendered: a file of jobs that any computer with access to the inputs can run.
///
/// The file contains one JSON object per line: the head, each edit once, and the jobs grouped by task. Every path in a
/// job is relative to one folder, the root, wherever that folder is mounted. Inputs are also identified by their
/// SHA-256, and results by the hash of everything that determines their bytes (Documentation/Scale.md).
package struct WorkPlan: Sendable {
  /// The properties that all jobs share.
  package struct Head: Codable, Hashable, Sendable {
    /// The version of the file format. Files of a later version are not read.
    package var form = 1
    /// The plan's identifier, which is recorded in the versions that result from the plan.
    package var plan: String
    /// The arguments of the planned command line, without the program's name.
    package var words: [String]
    /// The absolute path of the root on the computer where the plan was made.
    package var root: String
    /// The folder that was given with `--library`, or nil for renders beside their originals.
    package var library: String?
    /// The paths of the named folder trees of originals, relative to the root, if there is a library.
    package var trees: [String]?
    /// The programs and libraries that are required to render the jobs, see ``HelperRenderer/engine()``.
    package var engine: String
    /// The time at which the plan was made, in seconds since 1970.
    package var time: Int

    /// The command that undoes the plan's commits.
    package var undoCommand: String { "liveedit revert --batch \(plan)" }
  }

  /// A file that a job reads.
  package struct Input: Codable, Hashable, Sendable {
    /// The path of the file, relative to the root.
    package var path: String
    /// The size of the file in bytes.
    package var size: Int
    /// The file's SHA-256 as 64 lower-case hexadecimal digits.
    package var sha256: String
  }

  /// The render of one asset.
  package struct Job: Codable, Hashable, Sendable {
    /// The number of the job's task, from 1.
    package var task: Int
    /// The path of the asset's folder relative to the root; empty for the root itself.
    package var folder: String
    /// The name of the original photo.
    package var photo: String?
    /// The name of the original movie.
    package var movie: String?
    /// The name of the first original if the whole name is the asset's stem: see `OriginalFiles.wholeName`.
    package var wholeName: String?
    /// The asset's current version at the time of planning, see ``EditLibrary/AssetRecord/position``.
    package var position: String
    /// The number of the version that the edit is applied to.
    package var base: Int
    /// The index of the job's edit in the plan's list of edits.
    package var edit: Int
    /// The files that the job reads, originals first.
    package var inputs: [Input]
    /// The render job. Its sources are paths relative to the root, its outputs are roles, and its edit and settings are
    /// omitted.
    package var render: RenderJob
    /// The SHA-256 of everything that determines the results' bytes, as 64 lower-case hexadecimal digits.
    package var key: String
    /// The estimated time on one processor, in seconds.
    package var seconds: Double

    /// The name of the first original.
    package var name: String { photo ?? movie ?? "" }
    /// The path of the first original, relative to the root.
    package var place: String { FilePath.joined(folder, name) }
  }

  /// The properties that all jobs share.
  package let head: Head
  /// The planned edits.
  package let edits: [AdjustmentData]
  /// The jobs, grouped by task.
  package let jobs: [Job]

  /// - Parameters:
  ///   - head: The properties that all jobs share.
  ///   - edits: The planned edits.
  ///   - jobs: The jobs, grouped by task.
  init(_ head: Head, edits: [AdjustmentData], jobs: [Job]) {
    (self.head, self.edits, self.jobs) = (head, edits, jobs)
  }

  /// The index ranges of the jobs in each task. The first task is number 1.
  package var tasks: [Range<Int>] {
    var tasks: [Range<Int>] = []
    for (index, job) in jobs.enumerated() {
      if job.task > tasks.count { tasks.append(index..<index) }
      tasks[tasks.count - 1] = tasks[tasks.count - 1].lowerBound..<index + 1
    }
    return tasks
  }

  /// Returns the render job with absolute paths.
  ///
  /// - Parameters:
  ///   - job: The planned job.
  ///   - root: The path of the root.
  ///   - outputs: Returns the output path for a role.
  func render(_ job: Job, in root: String, to outputs: (String) -> String) throws(EditError) -> RenderJob {
    guard let own = edits[job.edit].decoded() else {
      throw EditError(
        .unsupported, file: job.place, "cannot get this edit, which was made by a newer liveedit",
        remedy: "update liveedit")
    }
    var render = job.render.named(source: { FilePath.joined(root, $0) }, output: outputs)
    (render.edit, render.settings) = (own.edit, own.settings)
    return render
  }

  /// Returns the layout of the library, which determines where the renders are stored.
  ///
  /// - Parameter root: The path of the root.
  package func layout(in root: String) -> LibraryLayout {
    LibraryLayout(
      library: head.library,
      trees: (head.trees ?? []).map { $0.isEmpty ? root : FilePath.joined(root, $0) })
  }

  /// Returns the error for an input that differs from the planned input.
  static func changed(input file: String) -> EditError {
    EditError(
      .changedOriginal, file: file, "has changed since its edit was planned", remedy: "plan the edit again")
  }

  // MARK: The file

  private struct Line: Codable {
    var plan: Head?
    var edit: CodedAdjustmentData?
    var job: Job?
  }

  private static let largest = 1 << 32
  private static let mostJobs = 1 << 24

  /// Writes the plan to a new file. The file appears only after it is complete.
  ///
  /// - Throws: ``EditError`` if a file of that name exists or the plan cannot be written.
  package func write(to path: String) throws(EditError) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let (folder, name) = FilePath.split(path)
    let publisher = try FilePublisher(in: folder, stem: "plan", option: "--plan")
    try whileWriting(path) {
      var bytes: [UInt8] = []
      func add(_ line: Line) throws {
        bytes += try encoder.encode(line) + [UInt8(ascii: "\n")]
        guard bytes.count <= Self.largest else {
          throw EditError(
            .invalidEdit, file: path, "would exceed the 4 GB limit for plans",
            remedy: "plan fewer photos at a time")
        }
      }
      try add(Line(plan: head))
      for edit in edits { try add(Line(edit: CodedAdjustmentData(edit))) }
      for job in jobs { try add(Line(job: job)) }
      try File.create(publisher.path("plan"), bytes: bytes)
    }
    do throws(EditError) {
      _ = try publisher.publish([FilePublisher.Item("plan", name: name)])
    } catch {
      guard error.code == .inTheWay else { throw error }
      throw EditError(.inTheWay, file: path, "already exists", remedy: "choose another file name")
    }
  }

  /// Reads a plan.
  ///
  /// - Throws: ``EditError`` if the file cannot be read or is not a plan that this version of liveedit supports.
  package init(reading path: String) throws(EditError) {
    let damage = EditError(
      .invalidFile, file: path, "is not a plan that this liveedit can read",
      remedy: "make one with liveedit plan")
    // Removes the temporary file that a killed `liveedit plan` left beside the plan.
    if let listing = try? FolderListing(folder: FilePath.split(path).folder) {
      WorkFolder.recoverAll(in: listing)
    }
    let bytes = try whileReading(path) { try FileByteSource(path: path).bytes(atMost: Self.largest) }
    guard let bytes else {
      throw EditError(
        .invalidFile, file: path, "exceeds the 4 GB limit for plans", remedy: "make smaller plans")
    }
    var head: Head?
    var edits: [AdjustmentData] = []
    var jobs: [Job] = []
    for text in bytes.split(separator: UInt8(ascii: "\n")) {
      guard let line = try? JSONText.decode(Line.self, from: text) else { throw damage }
      if let found = line.plan, head == nil, found.form == 1, FileName.isPlain(found.plan) { head = found }
      if let edit = line.edit { edits.append(edit.adjustment) }
      guard let job = line.job else { continue }
      let last = jobs.last?.task ?? 0
      guard job.isSound, edits.indices.contains(job.edit), last...last + 1 ~= job.task, job.task > 0,
        jobs.count < Self.mostJobs
      else { throw damage }
      jobs.append(job)
    }
    guard let head else { throw damage }
    self.init(head, edits: edits, jobs: jobs)
  }
}

extension WorkPlan.Job {
  /// Whether all paths are inside the root, and the files to read are the listed inputs.
  fileprivate var isSound: Bool {
    let places = Set(inputs.map(\.path))
    let sources = render.sources
    return (folder.isEmpty || FileName.parts(of: folder) != nil)
      && [photo, movie].compactMap { $0 }.allSatisfy { FileName.isPlain($0) } && photo ?? movie != nil
      && inputs.allSatisfy { FileName.parts(of: $0.path) != nil && $0.size >= 0 }
      && !sources.isEmpty && places.isSuperset(of: sources)
      && key.utf8.count == 64
      && key.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }

  /// The roles of the files that the job writes.
  var outputs: [FileRole] {
    [(render.photo, FileRole.photo), (render.movie, .movie)].compactMap { $0 == nil ? nil : $1 }
  }
}

extension RenderJob {
  /// The paths of all files that the job reads.
  var sources: [String] {
    [photo?.source, movie?.source, frameSource, adopted?.photo, adopted?.picture].compactMap { $0 }
  }

  /// Returns the same job with other paths.
  ///
  /// - Parameters:
  ///   - source: Returns the new path of a file that the job reads.
  ///   - output: Returns the path of the file that the job writes for a role.
  func named(source: (String) -> String, output: (String) -> String) -> RenderJob {
    var job = self
    job.photo = photo.map { Half(source: source($0.source), output: output(FileRole.photo.rawValue)) }
    job.movie = movie.map { Half(source: source($0.source), output: output(FileRole.movie.rawValue)) }
    job.frameSource = frameSource.map(source)
    job.adopted?.photo = adopted?.photo.map(source)
    job.adopted?.picture = adopted?.picture.map(source)
    return job
  }
}
