import Basics
import EditLibrary
import EditModel
import FileSystem
import FoundationEssentials

/// The folder in which the results of a plan's jobs wait to be committed. Each result is stored in its own subfolder,
/// which is named after the hash of everything that determines the result's bytes. A subfolder is either complete or
/// absent.
///
/// Any number of computers can write to the folder. Each result is synced to disk and published by a single rename, and
/// hashes show whether its files are complete.
package struct PlanResults: Sendable {
  /// The description of a result.
  package struct Made: Codable, Hashable, Sendable {
    /// The version of the description's format. A later version is not read.
    var form = 1
    /// The rendered files.
    var files: [File]
    /// The renderer's result.
    var result: RenderResult

    /// A rendered file.
    struct File: Codable, Hashable, Sendable {
      var role: FileRole
      var size: Int
      var sha256: String
    }
  }

  private let folder: HeldFolder
  /// The path of the folder.
  package let path: String

  private static let description = "result.json"
  private static let largest = 1 << 25
  private static let (renders, making, claims) = ("renders", "making", "claims")

  /// Opens the folder and creates it if necessary.
  ///
  /// - Throws: ``EditError`` if the folder cannot be created.
  package init(at path: String) throws(EditError) {
    self.path = path
    folder = try whileWriting(path) {
      _ = try Folder.create(path)
      let folder = try HeldFolder(path: path)
      for name in [Self.renders, Self.making, Self.claims] { try folder.makeFolder(name) }
      return folder
    }
  }

  private static func place(_ key: String) -> String { "\(renders)/\(key.prefix(2))/\(key)" }

  /// Returns the result of a job, or nil if the result does not exist or cannot be parsed.
  func made(_ job: WorkPlan.Job) -> Made? {
    guard
      let bytes = try? folder.bytes(of: "\(Self.place(job.key))/\(Self.description)", atMost: Self.largest),
      let made = try? JSONText.decode(Made.self, from: bytes), made.form == 1,
      made.files.map(\.role) == job.outputs
    else { return nil }
    return made
  }

  /// Removes the result of a job.
  func remove(_ job: WorkPlan.Job) { clear(Self.place(job.key)) }

  /// Copies the files of a result.
  ///
  /// - Parameters:
  ///   - made: The description of the result.
  ///   - outputs: The paths of the copies by role, which must not exist.
  /// - Returns: False if files are missing or differ from what was rendered.
  /// - Throws: ``EditError`` if the files cannot be read or written.
  func copy(_ job: WorkPlan.Job, _ made: Made, to outputs: [FileRole: String]) throws(EditError) -> Bool {
    for (role, output) in outputs {
      let place = "\(Self.place(job.key))/\(role.rawValue)"
      let source = try whileReading(folder.path(place)) {
        try folder.exists(place) ? try folder.source(place) : nil
      }
      guard let source else { return false }
      let (target, name) = try whileWriting(output) { try HeldFolder.leading(to: output) }
      try copyFile(source, at: folder.path(place), to: name, in: target)
      let hash = try whileReading(output) { try Digest.sha256(of: FileByteSource(path: output)) }
      guard made.files.contains(where: { $0.role == role && $0.sha256 == hash }) else { return false }
    }
    return true
  }

  /// Renders a job and stores its result durably, unless the result exists.
  ///
  /// - Parameter render: Renders the job into the folder with the given path.
  /// - Returns: False if the result already existed.
  /// - Throws: An error from `render`, or ``EditError`` if the folder cannot be written.
  func make(
    _ job: WorkPlan.Job, _ render: (_ folder: String) throws(EditError) -> RenderResult
  ) throws(EditError) -> Bool {
    guard made(job) == nil else { return false }
    let result = try rendered(job, render)
    defer { clear(result.place) }
    let (parent, place) = ("\(Self.renders)/\(job.key.prefix(2))", Self.place(job.key))
    return try whileWriting(folder.path(place)) {
      try folder.makeFolder(parent)
      try folder.syncFolder(Self.renders)
      do {
        try folder.move(result.place, toFree: place)
      } catch SystemError.exists {
        // Either another worker has stored the same result first, or the stored result is incomplete.
        guard made(job) == nil else { return false }
        remove(job)
        try folder.move(result.place, toFree: place)
      }
      try folder.syncFolder(parent)
      return true
    }
  }

  /// Renders a job again.
  ///
  /// - Returns: The description of the new result.
  /// - Throws: An error from `render`, or ``EditError`` if the folder cannot be written.
  func renderedAgain(
    _ job: WorkPlan.Job, _ render: (_ folder: String) throws(EditError) -> RenderResult
  ) throws(EditError) -> Made {
    let made = try rendered(job, render)
    clear(made.place)
    return made.made
  }

  private func rendered(
    _ job: WorkPlan.Job, _ render: (_ folder: String) throws(EditError) -> RenderResult
  ) throws(EditError) -> (place: String, made: Made) {
    // A random name is used, so that no two processes on any computers share a name.
    let place = "\(Self.making)/\(String(UInt64.random(in: 0...(.max)), radix: 36))"
    _ = try whileWriting(folder.path(place)) { try folder.makeFolder(place) }
    do throws(EditError) {
      let result = try render(folder.path(place))
      var files: [Made.File] = []
      for role in job.outputs {
        let name = "\(place)/\(role.rawValue)"
        let source = try whileReading(folder.path(name)) { try folder.source(name) }
        try whileWriting(folder.path(name)) { try folder.sync(name) }
        files.append(
          Made.File(
            role: role, size: source.count,
            sha256: try whileReading(folder.path(name)) { try Digest.sha256(of: source) }))
      }
      let made = Made(files: files, result: result)
      try whileWriting(folder.path(place)) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        try folder.create("\(place)/\(Self.description)", bytes: Array(try encoder.encode(made)))
        try folder.syncFolder(place)
      }
      return (place, made)
    } catch {
      clear(place)
      throw error
    }
  }

  private func clear(_ place: String) {
    for name in (try? folder.namesIfAny(in: place)) ?? [] { _ = try? folder.remove("\(place)/\(name)") }
    try? folder.removeFolder(place)
  }

  // MARK: Claims

  /// The claim on a task. The claim is held until this value is released, or at most until the process ends.
  package enum Claim {
    /// This worker has claimed the task.
    case taken(FileLock?)
    /// Another worker has claimed the task.
    case busy
    /// The task was completed earlier.
    case done
  }

  /// Claims a task without waiting. If the file system does not support locks, two workers may do the same work, with
  /// identical results.
  ///
  /// - Parameter task: The number of the task.
  /// - Throws: ``EditError`` if the folder cannot be written.
  package func claim(_ task: Int) throws(EditError) -> Claim {
    let place = "\(Self.claims)/\(task)"
    return try whileWriting(folder.path(place)) {
      if try folder.exists(place + ".done") { return .done }
      switch try FileLock.attempt(place, in: folder, creating: true) {
      case .locked(let lock):
        // Another worker may have completed the task between the first check and the lock.
        if try folder.exists(place + ".done") { return .done }
        try lock.record("process \(ChildProcess.ownIdentifier)\n")
        return .taken(lock)
      case .busy: return .busy
      case .unsupported, .gone: return .taken(nil)
      }
    }
  }

  /// Records that all jobs of a task have results.
  package func finish(_ task: Int) throws(EditError) {
    let place = "\(Self.claims)/\(task)"
    try whileWriting(folder.path(place)) {
      do { try folder.create(place + ".done", bytes: []) } catch SystemError.exists {}
    }
  }

  /// Removes the record that a task was completed.
  func reopen(_ task: Int) { _ = try? folder.remove("\(Self.claims)/\(task).done") }
}
