import Basics
import EditLibrary
import EditModel

/// A change to many assets. Each asset has a target state, so running the batch again does not apply a change twice.
package struct Batch: Sendable {
  /// The batch's identifier, which is recorded in the versions that the batch creates, or nil if the batch records no
  /// versions.
  package var identifier: String?
  /// Whether each asset is changed independently. Otherwise, either all of a folder's assets are changed or none.
  package var isEach: Bool
  /// The folder for the rendered files. If nil, the files are written beside the originals and recorded.
  package var destination: String?
  /// The change for assets whose target state is determined only when they are processed.
  package var aim: BatchPlanner.Aim?
  /// The assets, grouped by folder.
  package var items: [Item]

  /// An asset of a batch.
  package struct Item: Sendable {
    /// The asset's originals.
    package var asset: OriginalFiles
    /// The file that the user named.
    package var file: String
    /// The asset's current version before the batch, see ``EditLibrary/AssetRecord/position``, or nil if any version is
    /// acceptable.
    package var position: String?
    /// The first original as it was found, or nil if any original is acceptable.
    package var original: Fingerprint.Mark?
    /// The target state of the asset, or nil if the state is determined only when the asset is processed.
    package var target: Target?
    /// Remarks for the user about the asset's change, one sentence each.
    package var notes: [Message] = []

    /// - Parameters:
    ///   - asset: The asset's originals.
    ///   - file: The file that the user named.
    ///   - position: The asset's current version before the batch, or nil if any version is acceptable.
    ///   - target: The target state of the asset, or nil if the state is determined only when the asset is processed.
    package init(asset: OriginalFiles, file: String, position: String?, target: Target?) {
      self.asset = asset
      self.file = file
      self.position = position
      self.target = target
    }
  }

  /// The target state of an asset.
  package enum Target: Hashable, Sendable {
    /// The asset gets this edit.
    case edit(AdjustmentData)
    /// This version becomes current.
    case version(Int)
  }

  /// The expected or actual result for an asset.
  package enum Outcome: Sendable {
    /// The asset was edited, or had this edit already.
    case edited(EditOutcome)
    /// Another version became current, or was current already.
    case switched(VersionSwitch)
    /// The batch had changed the asset before it was interrupted.
    case doneBefore

    /// Whether the asset changes.
    package var isChange: Bool {
      switch self {
      case .edited(let outcome): outcome.action != .unchanged
      case .switched(let one): one.from != one.to
      case .doneBefore: false
      }
    }
  }

  /// - Parameters:
  ///   - identifier: The batch's identifier, or nil if the batch records no versions.
  ///   - isEach: Whether each asset is changed independently.
  ///   - destination: The folder for the rendered files, if they are not recorded.
  ///   - aim: The change for assets whose target state is not yet known.
  ///   - items: The assets, grouped by folder.
  package init(
    identifier: String?, isEach: Bool, destination: String? = nil, aim: BatchPlanner.Aim? = nil, items: [Item]
  ) {
    self.identifier = identifier
    self.isEach = isEach
    self.destination = destination
    self.aim = aim
    self.items = items
  }
}

extension Batch.Item {
  /// Returns the change that leads to the asset's target, or the batch's change if the asset has no target. Returns nil
  /// if neither change is known.
  ///
  /// - Throws: ``EditError`` if a later liveedit created the target edit.
  func change(in batch: Batch) throws(EditError) -> BatchPlanner.Aim? {
    switch target {
    case .version(let number)?: return .version(.number(number))
    case .edit(let adjustment)?:
      guard let own = adjustment.decoded() else {
        throw EditError(
          .unsupported, file: file, "cannot get this edit, which was made by a newer liveedit",
          remedy: "update liveedit")
      }
      return .edit(.to(own.edit, settings: own.settings))
    case nil: return batch.aim
    }
  }

  /// Returns whether a resumed batch has already edited the asset.
  ///
  /// - Throws: ``EditError`` if the asset was changed after the batch edited it.
  func isDone(in record: AssetRecord, of batch: Batch) throws(EditError) -> Bool {
    guard let identifier = batch.identifier,
      let version = record.versions.last(where: { $0.batch == identifier })
    else { return false }
    guard version.number == record.current else { throw changed(since: batch) }
    return true
  }

  /// Checks that the asset is the same asset that the batch found, at the same version.
  func checkPosition(_ record: AssetRecord, in library: Library, of batch: Batch) throws(EditError) {
    // Without versions, only the original's mark distinguishes the asset from another asset that now has its name.
    if position == nil || position == "0", let original,
      let now = try library.originalMark(of: record), !original.agrees(with: now)
    {
      throw EditError(
        .conflict, file: file, "is not the file that the batch was started with",
        remedy: "edit it separately")
    }
    if let position, try record.position != position { throw changed(since: batch) }
  }

  /// The error for an asset whose target state was not recorded.
  var unknownChange: EditError {
    EditError(.invalidEdit, file: file, "has no recorded edit to apply")
  }

  private func changed(since batch: Batch) -> EditError {
    batch.identifier == nil
      ? EditError(
        .conflict, file: file, "was changed before its turn in the batch", remedy: "run the command again")
      : EditError(
        .conflict, file: file, "has been changed since the batch was started", remedy: "edit it separately")
  }
}
