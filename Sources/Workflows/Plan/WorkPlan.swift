import Basics
import EditLibrary
import EditModel
import FileSystem
import FoundationEssentials

/// Edits that are planned and not rendered yet: a file of jobs that any computer can do which sees the inputs.
///
/// The file holds a JSON object a line: the head, each edit once, and the jobs, those of a task together. Every path in a
/// job lies below one folder, the root, wherever that is mounted; what a job reads is named by its SHA-256 too, and what
/// it makes by the hash of all that decides its bytes (Documentation/Scale.md).
package struct WorkPlan: Sendable {
  /// The part that the jobs have in common.
  package struct Head: Codable, Hashable, Sendable {
    /// The form of the file; a later one is not read.
    package var form = 1
    /// The plan's identifier, which the versions carry that come of it.
    package var plan: String
    /// The words of the planned command line, without the program's name.
    package var words: [String]
    /// The absolute path of the root where the plan was made.
    package var root: String
    /// The folder of `--library`, as it was given; nil for renders beside their originals.
    package var library: String?
    /// The trees of originals that were named, by their places below the root, where there is a library.
    package var trees: [String]?
    /// The programs and libraries that must render the jobs, see ``HelperRenderer/engine()``.
    package var engine: String
    /// The time at which it was made, in seconds since 1970.
    package var time: Int

    /// The command that takes back what was committed of it.
    package var undoCommand: String { "liveedit revert --batch \(plan)" }
  }

  /// A file that a job reads.
  package struct Input: Codable, Hashable, Sendable {
    /// Its place below the root.
    package var path: String
    /// Its length in bytes.
    package var size: Int
    /// SHA-256 as 64 lower-case hexadecimal digits.
    package var sha256: String
  }

  /// The render of one asset.
  package struct Job: Codable, Hashable, Sendable {
    /// The number of its task, from 1.
    package var task: Int
    /// The place of the asset's folder below the root; empty for the root itself.
    package var folder: String
    /// The name of the original photo.
    package var photo: String?
    /// The name of the original movie.
    package var movie: String?
    /// The name of its first original, if that is its stem: see `OriginalFiles.wholeName`.
    package var wholeName: String?
    /// The asset's current version when it was planned, see ``EditLibrary/AssetRecord/position``.
    package var position: String
    /// The version that the edit is applied to.
    package var base: Int
    /// The number of its edit among those of the plan.
    package var edit: Int
    /// The files that it reads: first those of the originals.
    package var inputs: [Input]
    /// The render: sources by their places below the root, outputs by their roles, no edit and no settings.
    package var render: RenderJob
    /// SHA-256 of all that decides the bytes of the results, as 64 lower-case hexadecimal digits.
    package var key: String
    /// The time that it is thought to take on one processor, in seconds.
    package var seconds: Double

    /// The name of the first original.
    package var name: String { photo ?? movie ?? "" }
    /// The place of the first original below the root.
    package var place: String { FilePath.joined(folder, name) }
  }

  /// The part that the jobs have in common.
  package let head: Head
  /// The edits.
  package let edits: [AdjustmentData]
  /// The jobs, those of a task together.
  package let jobs: [Job]

  /// - Parameters:
  ///   - head: what the jobs have in common.
  ///   - edits: the edits.
  ///   - jobs: the jobs, those of a task together.
  init(_ head: Head, edits: [AdjustmentData], jobs: [Job]) {
    (self.head, self.edits, self.jobs) = (head, edits, jobs)
  }

  /// The jobs of each task, by their indices; the first task is number 1.
  package var tasks: [Range<Int>] {
    var tasks: [Range<Int>] = []
    for (index, job) in jobs.enumerated() {
      if job.task > tasks.count { tasks.append(index..<index) }
      tasks[tasks.count - 1] = tasks[tasks.count - 1].lowerBound..<index + 1
    }
    return tasks
  }

  /// The render of a job, with files in a folder.
  ///
  /// - Parameters:
  ///   - job: the job.
  ///   - root: the path of the root.
  ///   - outputs: the path of the output of a role.
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

  /// The place of the renders.
  ///
  /// - Parameter root: the path of the root.
  package func layout(in root: String) -> LibraryLayout {
    LibraryLayout(
      library: head.library,
      trees: (head.trees ?? []).map { $0.isEmpty ? root : FilePath.joined(root, $0) })
  }

  /// The error of an input that is another one than the planned.
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

  /// Writes the plan into a new file, which is there whole or not at all.
  ///
  /// - Throws: ``EditError`` when there is a file of that name, or it cannot be written.
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
  /// - Throws: ``EditError`` when the file cannot be read, or is no plan that this liveedit understands.
  package init(reading path: String) throws(EditError) {
    let damage = EditError(
      .invalidFile, file: path, "is not a plan that this liveedit can read",
      remedy: "make one with liveedit plan")
    // What a `liveedit plan` that was killed left beside it.
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
  /// True if it leads nowhere but below the root, and its files are its inputs.
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

  /// The files that it makes, by role.
  var outputs: [FileRole] {
    [(render.photo, FileRole.photo), (render.movie, .movie)].compactMap { $0 == nil ? nil : $1 }
  }
}

extension RenderJob {
  /// The paths of all files that it reads.
  var sources: [String] {
    [photo?.source, movie?.source, frameSource, adopted?.photo, adopted?.picture].compactMap { $0 }
  }

  /// The same job with other paths.
  ///
  /// - Parameters:
  ///   - source: the path of a file that it reads.
  ///   - output: the path of the file that it writes, by its role.
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
