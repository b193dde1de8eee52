import Basics
import FileSystem
import FoundationEssentials

/// The moves that give files in a work folder their final names. The plan is written before the first move, so that
/// another process can finish the moves.
struct PublishPlan: Codable, Hashable, Sendable {
  /// A step that gives a file a name in the destination folder, or removes a name from that folder.
  struct Step: Codable, Hashable, Sendable {
    /// The file in the work folder that gets the name, or nil if the name is removed.
    var from: String?
    /// The name in the destination folder that the step changes.
    var to: String
    /// The SHA-256 of the file that may be replaced or removed, or nil if the name must be free. Only builds without a
    /// catalogue wrote such steps.
    var replaces: String?
  }

  /// The number of the plan's format; plans in a later format are left alone.
  var version = 1
  /// The steps of the plan, in order.
  var steps: [Step]

  /// Whether the plan may replace or remove a file.
  private var isOfOldBuild: Bool { steps.contains { $0.from == nil || $0.replaces != nil } }

  /// Whether the plan is safe: its steps use only names in a single folder, and replace or remove only renders and
  /// adjustment data. A malicious plan therefore cannot change an original.
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

  /// Checks that every name is free or belongs to the file that may be replaced.
  ///
  /// - Throws: ``EditError`` naming the file that is in the way.
  func check(in folder: HeldFolder) throws(EditError) {
    for step in steps {
      if step.to.utf8.count > ReadingLimit.names.value {
        throw EditError(writing: folder.path(step.to), SystemError.tooLong)
      }
      _ = try Self.isTaken(step, in: folder)
    }
  }

  /// Performs the steps that are not done yet, in order, and makes them durable.
  ///
  /// - Parameters:
  ///   - folder: The destination folder.
  ///   - work: The work folder's name in the destination folder.
  ///   - limit: The maximum number of steps, for tests that stop halfway.
  /// - Throws: ``EditError``. The files moved by this call are then back in the work folder, unless moving them back
  ///   also failed or an old build wrote the plan.
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

  /// Performs one step.
  ///
  /// - Returns: Whether a file got its name.
  private func carryOut(_ step: Step, in folder: HeldFolder, from work: String) throws(EditError) -> Bool {
    do {
      guard let from = step.from else {
        if try Self.isTaken(step, in: folder) { try folder.remove(step.to) }
        return false
      }
      let source = work + "/" + from
      guard try folder.exists(source) else { return false }
      if try folder.isSameFile(source, as: step.to) {
        // An interrupted move by link and unlink stopped after the link was made.
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

  /// Whether every file is still in the work folder, as far as can be determined.
  func isUndone(in folder: HeldFolder, from work: String) -> Bool {
    steps.compactMap(\.from).allSatisfy { (try? folder.exists(work + "/" + $0)) == true }
  }

  /// Moves named files back to the work folder, because an incomplete set of files is useless.
  private static func undo(_ moved: [Step], in folder: HeldFolder, to work: String) {
    for step in moved {
      if let from = step.from { try? folder.move(step.to, toFree: work + "/" + from) }
    }
  }

  /// Whether the step's name belongs to the file that the step may replace; false if the name is free.
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
