import Basics
import EditLibrary
import EditModel
import FileSystem
import FoundationEssentials

/// The folder in which the results of a plan's jobs wait to be committed: each in a folder of its own, named by the hash
/// of all that decides its bytes, whole or not there.
///
/// Any number of computers write into it. A result appears durably and by one rename, and its hashes tell whether it is whole.
package struct PlanResults: Sendable {
  /// The description of a result.
  package struct Made: Codable, Hashable, Sendable {
    /// The form of the description; a later one is not read.
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
  /// The folder's path.
  package let path: String

  private static let description = "result.json"
  private static let largest = 1 << 25
  private static let (renders, making, claims) = ("renders", "making", "claims")

  /// Opens the folder, and makes it where it is missing.
  ///
  /// - Throws: ``EditError`` when it cannot be made.
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

  /// The result of a job; nil where there is none, or none that can be understood.
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
  ///   - made: the result.
  ///   - outputs: the paths of the copies, by role. Nothing must be there.
  /// - Returns: false when they are not, or not all, what was rendered.
  /// - Throws: ``EditError`` when they cannot be read or written.
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

  /// Makes the result of a job durably, unless it is there already.
  ///
  /// - Parameter render: renders into a folder; told its path.
  /// - Returns: false when the result was there.
  /// - Throws: what `render` throws, or ``EditError`` when the folder cannot be written to.
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
        // Somebody else was faster, and the bytes are the same; or what is there is not whole.
        guard made(job) == nil else { return false }
        remove(job)
        try folder.move(result.place, toFree: place)
      }
      try folder.syncFolder(parent)
      return true
    }
  }

  /// Renders a job once more.
  ///
  /// - Returns: what the new result would say of itself.
  /// - Throws: what `render` throws, or ``EditError`` when the folder cannot be written to.
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
    // No two processes of any computer share a name.
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

  /// The claim of a task: it holds as long as the value lives, and at most until its process ends.
  package enum Claim {
    /// The task is ours.
    case taken(FileLock?)
    /// Another worker has it.
    case busy
    /// It was done before.
    case done
  }

  /// Claims a task without waiting. Where the file system has no locks two workers may do the same work, to the same
  /// results.
  ///
  /// - Parameter task: its number.
  /// - Throws: ``EditError`` when the folder cannot be written to.
  package func claim(_ task: Int) throws(EditError) -> Claim {
    let place = "\(Self.claims)/\(task)"
    return try whileWriting(folder.path(place)) {
      if try folder.exists(place + ".done") { return .done }
      switch try FileLock.attempt(place, in: folder, creating: true) {
      case .locked(let lock):
        // It may have been done between the question and the lock.
        if try folder.exists(place + ".done") { return .done }
        try lock.record("process \(ChildProcess.ownIdentifier)\n")
        return .taken(lock)
      case .busy: return .busy
      case .unsupported, .gone: return .taken(nil)
      }
    }
  }

  /// Takes note that all jobs of a task have results.
  package func finish(_ task: Int) throws(EditError) {
    let place = "\(Self.claims)/\(task)"
    try whileWriting(folder.path(place)) {
      do { try folder.create(place + ".done", bytes: []) } catch SystemError.exists {}
    }
  }

  /// Forgets that a task was done.
  func reopen(_ task: Int) { _ = try? folder.remove("\(Self.claims)/\(task).done") }
}
