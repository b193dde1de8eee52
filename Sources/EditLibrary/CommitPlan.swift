import EditModel
import FileSystem
import FoundationEssentials

/// The moves that make a version current, written down before the first of them so that whoever comes
/// next can finish them.
struct CommitPlan: Codable, Hashable, Sendable {
  /// One name in the destination folder that gets another file, or none.
  struct Step: Codable, Hashable, Sendable {
    /// The file in the work folder that takes the name; nil when the name goes away.
    var from: String?
    /// The name in the destination folder.
    var to: String
    /// The SHA-256 of the file that may be replaced or removed; nil when the name must be free.
    var replaces: String?
  }

  /// The form of this plan; a later form is not touched.
  var version = 1
  /// The steps in order: photo, movie, adjustment data.
  var steps: [Step]

  /// Checks that no step can reach anything but renders and adjustment data in the one folder, so that a
  /// plan that somebody else planted cannot touch an original.
  var isHarmless: Bool {
    version == 1
      && steps.allSatisfy { step in
        let parts = RenderNames.Parts(step.to)
        let isRender = RenderNames.originalStem(ofRender: parts.stem) != nil
        let isAdjustments = parts.fileExtension.lowercased() == "aae"
        return (isRender || isAdjustments) && !step.to.contains("/") && !step.to.contains("\0")
          && (step.from.map { WorkFolder.isMember($0) } ?? true)
      }
  }

  /// Checks that every name is free or has the file that may be replaced.
  ///
  /// - Throws: ``EditError`` naming what is in the way.
  func check(in folder: String) throws(EditError) {
    for step in steps { _ = try Self.isTaken(step, in: folder) }
  }

  /// Does the steps that are not done yet, in order, and makes them durable.
  ///
  /// - Parameters:
  ///   - folder: the destination folder.
  ///   - work: the work folder's path.
  ///   - limit: how many steps to do, for tests that stop half way.
  func carryOut(in folder: String, from work: String, limit: Int = .max) throws(EditError) {
    for step in steps.prefix(limit) {
      let target = FolderListing.path(folder, step.to)
      do {
        if let from = step.from {
          let source = FolderListing.path(work, from)
          guard try FileStatus.exists(source) else { continue }
          if try FileStatus.exists(target), try Self.isOneFile(source, target) {
            // A move by link and unlink stopped between the two.
            try File.remove(source)
          } else if try Self.isTaken(step, in: folder) {
            try File.replace(target, with: source)
          } else {
            try File.move(source, toFree: target)
          }
        } else if try Self.isTaken(step, in: folder) {
          try File.remove(target)
        }
      } catch SystemError.exists {
        throw Self.inTheWay(target)
      } catch {
        throw EditError(writing: target, error)
      }
    }
    do {
      try Folder.sync(folder.isEmpty ? "." : folder)
      try Folder.sync(work)
    } catch {
      throw EditError(writing: folder, error)
    }
  }

  /// Whether the step's name has the file that the step may replace; false when it is free.
  private static func isTaken(_ step: Step, in folder: String) throws(EditError) -> Bool {
    let target = FolderListing.path(folder, step.to)
    do {
      guard try FileStatus.exists(target) else { return false }
      guard try FileStatus(path: target, followingLinks: false).kind == .regular,
        let expected = step.replaces,
        try Digest.sha256(ofFile: target) == expected
      else { throw inTheWay(target) }
      return true
    } catch {
      throw EditError(writing: target, error)
    }
  }

  private static func isOneFile(_ one: String, _ other: String) throws -> Bool {
    try FileStatus(path: one, followingLinks: false).place
      == FileStatus(path: other, followingLinks: false).place
  }

  static func inTheWay(_ path: String) -> EditError {
    EditError(
      .inTheWay, file: path, "is in the way and was not made by liveedit", remedy: "move it to another folder"
    )
  }
}
