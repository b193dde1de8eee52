import Basics
import FileSystem
import FoundationEssentials

/// The moves by which files that were made in a work folder get their names, written down before the first of them so
/// that whoever comes next can finish them.
struct PublishPlan: Codable, Hashable, Sendable {
  /// One name in the destination folder that gets another file, or none.
  struct Step: Codable, Hashable, Sendable {
    /// The file in the work folder that takes the name; nil when the name goes away.
    var from: String?
    /// The name in the destination folder.
    var to: String
    /// The SHA-256 of the file that may be replaced or removed; nil when the name must be free. Only builds before the
    /// catalogue wrote such steps.
    var replaces: String?
  }

  /// The form of this plan; a later form is not touched.
  var version = 1
  /// The steps in order.
  var steps: [Step]

  /// True if something may be replaced or removed.
  private var isOfOldBuild: Bool { steps.contains { $0.from == nil || $0.replaces != nil } }

  /// Checks that no step can reach anything but names of the one folder, and that nothing but renders and adjustment
  /// data is replaced or removed, so that a plan that somebody else planted cannot touch an original.
  var isHarmless: Bool {
    version == 1 && Set(steps.map(\.to)).count == steps.count
      && Set(steps.compactMap(\.from)).count == steps.compactMap(\.from).count
      && steps.allSatisfy { step in
        guard FileName.isPlain(step.to), !step.to.hasPrefix("."), step.from.map(WorkFolder.isMember) ?? true
        else { return false }
        if !isOfOldBuild { return true }
        let parts = RenderNames.Parts(step.to)
        let isRender = RenderNames.originalStem(ofRender: parts.stem) != nil
        return isRender || parts.fileExtension.lowercased() == "aae"
      }
  }

  /// Checks that every name is free or has the file that may be replaced.
  ///
  /// - Throws: ``EditError`` naming what is in the way.
  func check(in folder: HeldFolder) throws(EditError) {
    for step in steps {
      if step.to.utf8.count > ReadingLimit.names.value {
        throw EditError(writing: folder.path(step.to), SystemError.tooLong)
      }
      _ = try Self.isTaken(step, in: folder)
    }
  }

  /// Does the steps that are not done yet, in order, and makes them durable.
  ///
  /// - Parameters:
  ///   - folder: the destination folder.
  ///   - work: the work folder's name in it.
  ///   - limit: how many steps to do, for tests that stop half way.
  /// - Throws: ``EditError``; what was moved now is back in the work folder then, unless that failed as well or an old build wrote the plan.
  func carryOut(in folder: HeldFolder, from work: String, limit: Int = .max) throws(EditError) {
    var moved: [Step] = []
    do throws(EditError) {
      for step in steps.prefix(limit) where try carryOut(step, in: folder, from: work) { moved.append(step) }
      try whileWriting(FilePath.shown(folder.path)) {
        try folder.syncFolder()
        try folder.syncFolder(work)
      }
    } catch {
      if !isOfOldBuild { Self.undo(moved, in: folder, to: work) }
      throw error
    }
  }

  /// - Returns: true if a file got its name.
  private func carryOut(_ step: Step, in folder: HeldFolder, from work: String) throws(EditError) -> Bool {
    do {
      guard let from = step.from else {
        if try Self.isTaken(step, in: folder) { try folder.remove(step.to) }
        return false
      }
      let source = work + "/" + from
      guard try folder.exists(source) else { return false }
      if try folder.isSameFile(source, as: step.to) {
        // A move by link and unlink stopped between the two.
        try folder.remove(source)
      } else if try Self.isTaken(step, in: folder) {
        try folder.replace(step.to, with: source)
      } else {
        try folder.move(source, toFree: step.to)
      }
      return true
    } catch SystemError.exists {
      throw EditError.inTheWay(folder.path(step.to))
    } catch {
      throw EditError(writing: folder.path(step.to), error)
    }
  }

  /// True if every file is in the work folder, as far as can be seen.
  func isUndone(in folder: HeldFolder, from work: String) -> Bool {
    steps.compactMap(\.from).allSatisfy { (try? folder.exists(work + "/" + $0)) == true }
  }

  /// Takes the names back from files that got theirs: what is not whole is of no use.
  private static func undo(_ moved: [Step], in folder: HeldFolder, to work: String) {
    for step in moved {
      if let from = step.from { try? folder.move(step.to, toFree: work + "/" + from) }
    }
  }

  /// True if the step's name has the file that the step may replace; false when it is free.
  private static func isTaken(_ step: Step, in folder: HeldFolder) throws(EditError) -> Bool {
    try whileWriting(folder.path(step.to)) {
      guard try folder.exists(step.to) else { return false }
      guard let expected = step.replaces, try folder.status(step.to).kind == .regular,
        try Digest.sha256(of: folder.source(step.to)) == expected
      else { throw EditError.inTheWay(folder.path(step.to)) }
      return true
    }
  }
}
