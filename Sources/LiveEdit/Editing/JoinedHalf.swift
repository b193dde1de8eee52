package import Basics
import EditLibrary
import EditModel

extension AssetEditor {
  /// Changes the edit of an asset of which a half was edited alone before its other half came: the history of the half,
  /// one version, is dropped, and its edit goes over to both. Where they cannot be rendered, the half gets it again.
  ///
  /// - Parameters:
  ///   - asset: the originals, see `AssetLocator`.
  ///   - change: the way from the last edit to the next.
  /// - Returns: what was done; nil, and nothing is done, where there is no such history.
  /// - Throws: ``EditError``.
  package func editJoined(
    _ asset: OriginalFiles, _ change: ChangeOfEdit
  ) throws(EditError) -> EditOutcome? {
    let known = try Library.reading(asset.folder, layout: layout, report: report) {
      library throws(EditError) in try library.joinedHalf(of: asset)
    }
    guard known != nil, let half = try forgetHalf(of: asset) else { return nil }
    var joined = change
    if case .by(let change, let settings, let sidecars) = change {
      joined = .by(
        { (edit, source) throws(EditError) in
          var last = half.own?.edit ?? .identity
          // What a sidecar says lies under what the half's edit changed.
          last.facts = last.facts.after(edit.facts)
          return try change(last, source)
        }, settings: settings, sidecars: sidecars)
    }
    do throws(BlockError) {
      return try edit([asset], joined).first
    } catch {
      giveBack(half)
      throw error.error
    }
  }

  /// A half, and the edit that it had alone.
  private typealias Half = (files: OriginalFiles, own: (edit: Edit, settings: RenderSettings)?)

  /// Gives a half its edit again, whoever wants to stop.
  private func giveBack(_ half: Half) {
    guard let own = half.own else { return }
    do throws(BlockError) {
      _ = try unstoppable.edit([half.files], .to(own.edit, settings: own.settings))
    } catch {
      report(
        "\(half.files.path(half.files.photo ?? half.files.movie ?? "")) lost its edit: \(error.error.problem)"
      )
    }
  }

  /// Drops the history of the half.
  ///
  /// - Returns: the half, and the edit that it had; nil, and nothing is done, where there is no such history any more.
  private func forgetHalf(of asset: OriginalFiles) throws(EditError) -> Half? {
    let library = try Library.forWriting(
      asset.folder, layout: layout, isCancelled: isCancelled, report: report)
    defer { library.close() }
    guard let record = try library.joinedHalf(of: asset), let name = record.originals.first?.name else {
      return nil
    }
    let (_, commit) = try prepare(library.state(of: record, isLeaving: true), in: library, .original)
    if let commit { try library.commit([commit]) }
    _ = try library.forget(name, keepingIn: nil)
    func original(_ role: FileRole) -> String? { record.originals.first { $0.role == role }?.name }
    let half = OriginalFiles(
      folder: asset.folder, place: asset.place, photo: original(.photo), movie: original(.movie))
    return (half, record.currentVersion?.ownEdit)
  }
}

extension Library {
  /// The record of an asset with fewer originals than it has now, and one version that liveedit made; nil for any other.
  fileprivate func joinedHalf(of asset: OriginalFiles) throws(EditError) -> AssetRecord? {
    guard let record = try record(of: asset.stem), record.versions.count == 1,
      record.versions[0].ownEdit != nil,
      Set(asset.halves.map(\.name)).isStrictSuperset(of: record.originals.map(\.name))
    else { return nil }
    return record
  }
}
