import Basics
import EditLibrary
import EditModel

/// A change of many assets: each is given what it is to become, so that doing it again does nothing twice.
package struct Batch: Sendable {
  /// Its identifier, which the versions carry that it makes; nil where nothing is recorded.
  package var identifier: String?
  /// True if each asset is changed for itself, instead of all of a folder or none.
  package var isEach: Bool
  /// The folder that renders go into; nil puts them beside the originals and records them.
  package var destination: String?
  /// The change of assets for which it is found only when it is their turn what they become.
  package var aim: BatchPlanner.Aim?
  /// The assets, those of a folder together.
  package var items: [Item]

  /// An asset of a batch.
  package struct Item: Sendable {
    /// The originals.
    package var asset: OriginalFiles
    /// The file that was named.
    package var file: String
    /// The asset's current version before, see ``EditLibrary/AssetRecord/position``; nil when any will do.
    package var position: String?
    /// The first original as it was found; nil when any will do.
    package var original: Fingerprint.Mark?
    /// The state that the asset is to get; nil when that is found when it is its turn.
    package var target: Target?
    /// Remarks on the way to its target, for people, one sentence each.
    package var notes: [Message] = []

    /// - Parameters:
    ///   - asset: the originals.
    ///   - file: the file that was named.
    ///   - position: the asset's current version before; nil when any will do.
    ///   - target: what the asset is to become; nil when that is found when it is its turn.
    package init(asset: OriginalFiles, file: String, position: String?, target: Target?) {
      self.asset = asset
      self.file = file
      self.position = position
      self.target = target
    }
  }

  /// The state that an asset is to get.
  package enum Target: Hashable, Sendable {
    /// Edited like this.
    case edit(AdjustmentData)
    /// At this version.
    case version(Int)
  }

  /// The result for an asset, before or after it is done.
  package enum Outcome: Sendable {
    /// It was edited, or had that edit.
    case edited(EditOutcome)
    /// Another version became current, or was.
    case switched(VersionSwitch)
    /// The batch had changed it before it was interrupted.
    case doneBefore

    /// True if anything changes.
    package var isChange: Bool {
      switch self {
      case .edited(let outcome): outcome.action != .unchanged
      case .switched(let one): one.from != one.to
      case .doneBefore: false
      }
    }
  }

  /// - Parameters:
  ///   - identifier: its identifier; nil where nothing is recorded.
  ///   - isEach: whether each asset is changed for itself.
  ///   - destination: the folder that renders go into, where they are not to be recorded.
  ///   - aim: the change of assets for which it is not known yet what they become.
  ///   - items: the assets, those of a folder together.
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
  /// The change of the asset: to its target, or where it has none the batch's own; nil when neither is known.
  ///
  /// - Throws: ``EditError`` when it is that of a later liveedit.
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

  /// True if a batch that goes on has edited the asset already.
  ///
  /// - Throws: ``EditError`` when the asset was changed since.
  func isDone(in record: AssetRecord, of batch: Batch) throws(EditError) -> Bool {
    guard let identifier = batch.identifier,
      let version = record.versions.last(where: { $0.batch == identifier })
    else { return false }
    guard version.number == record.current else { throw changed(since: batch) }
    return true
  }

  /// Makes sure that the asset is the one that was found, at the version at which it was.
  func checkPosition(_ record: AssetRecord, in library: Library, of batch: Batch) throws(EditError) {
    // Without versions nothing else tells it from another one that got its name.
    if position == nil || position == "0", let original,
      let now = try library.originalMark(of: record), !original.agrees(with: now)
    {
      throw EditError(
        .conflict, file: file, "is not the file that the batch was started with",
        remedy: "edit it separately")
    }
    if let position, try record.position != position { throw changed(since: batch) }
  }

  /// The error of an asset of which nobody knows what it is to become.
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
