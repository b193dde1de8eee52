public import Basics

/// An operation on an asset.
public enum AssetOperation: String, Hashable, Sendable, CaseIterable {
  /// Change its edit and render it.
  case edit
  /// Go back to an earlier version.
  case revert
  /// Take a revert back.
  case redo
  /// Mark it, or put it into albums.
  case mark
}

extension IndexedAsset {
  /// The reason why an operation cannot be performed on the asset now. Headers are read, pictures are not: what only a full
  /// reading of the files shows is found when it is tried.
  ///
  ///     if let reason = asset.refusal(of: .edit) { print(reason) }
  ///
  /// - Returns: nil when nothing is known that stands in its way.
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
        // Without a record nothing is compared with it, and the originals need not be hashed.
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
