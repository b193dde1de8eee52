public import Basics

/// An operation that can be performed on an asset.
public enum AssetOperation: String, Hashable, Sendable, CaseIterable {
  /// Changes the asset's edit and renders it.
  case edit
  /// Returns to an earlier version.
  case revert
  /// Undoes a revert.
  case redo
  /// Marks the asset as a favourite or hidden, or adds the asset to albums.
  case mark
}

extension IndexedAsset {
  /// Returns the reason why an operation cannot be performed on the asset now. Only headers are read. Other problems,
  /// visible only in the complete files, are found when the operation is performed.
  ///
  ///     if let reason = asset.refusal(of: .edit) { print(reason) }
  ///
  /// - Returns: The reason, or nil if no obstacle is known.
  public func refusal(of operation: AssetOperation) -> EditError? {
    do throws(EditError) {
      let library = try Library.forReading(folder, layout: layout, beforeWriting: true)
      if operation == .mark { return nil }
      let record = try library.record(of: stem).flatMap { record in
        record.originals.contains { $0.name == photo || $0.name == movie } ? record : nil
      }
      switch operation {
      case .mark: return nil
      case .edit:
        var locator = AssetLocator(layout: layout, recovers: false)
        let files = try locator.locate(path)
        // Without a record, the originals have nothing to be compared with, so they need not be hashed.
        let isKnown = try library.record(of: files) != nil
        if isKnown || files.namesake != nil { _ = try library.state(of: files, hashesOriginals: isKnown) }
        return nil
      case .revert:
        if record?.previous != nil || metadata.isEdited { return nil }
        return EditError(.notFound, file: path, "is the original", remedy: "there is nothing to revert")
      case .redo:
        if record?.next != nil { return nil }
        return EditError(.notFound, file: path, "has no later version", remedy: "there is nothing to redo")
      }
    } catch {
      return error
    }
  }
}
