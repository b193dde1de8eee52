public import Basics
import EditLibrary
import EditModel
import FileSystem
import Workflows

/// The changes to one asset.
public struct AssetChangeRequest: Sendable {
  /// The output of the edit that is to become the current version.
  public var contentEditingOutput: ContentEditingOutput?
  /// The existing version that is to become the current version. This property cannot be combined with
  /// ``contentEditingOutput``.
  public var version: VersionChoice?
  /// The new value of the favourite mark; nil leaves the mark unchanged.
  public var isFavourite: Bool?
  /// The new value of the hidden mark; nil leaves the mark unchanged.
  public var isHidden: Bool?

  /// Makes the original the current version. All versions are kept in the history.
  public mutating func revertAssetContentToOriginal() { version = .original }
}

/// The changes to the assets of a library. Either all changes are made or none.
public struct AssetChanges: Sendable {
  fileprivate var requests: [(asset: Asset, request: AssetChangeRequest)] = []
  /// The positions of the requests in the list, keyed by the stems of their assets.
  private var places: [String: Int] = [:]

  /// The changes to an asset.
  public subscript(asset: Asset) -> AssetChangeRequest {
    get { places[asset.stem].map { requests[$0].request } ?? AssetChangeRequest() }
    set {
      if let place = places[asset.stem] {
        requests[place].request = newValue
      } else {
        places[asset.stem] = requests.count
        requests.append((asset, newValue))
      }
    }
  }
}

extension PhotoLibrary {
  /// Changes assets. Either all changes are made or none: after a crash at any moment, all assets have their old state
  /// or all have their new state.
  ///
  ///     try await library.performChanges { changes in
  ///       changes[asset].contentEditingOutput = output
  ///       changes[asset].isFavourite = true
  ///       changes[another].revertAssetContentToOriginal()
  ///     }
  ///
  /// - Parameter block: A closure that describes the changes. It is called once, before any change is made.
  /// - Throws: ``Basics/EditError``. In that case, nothing has changed, unless the error's code is
  ///   ``Basics/EditError/Code/unfinished``. The code ``Basics/EditError/Code/conflict`` means that an asset was
  ///   changed after its input was requested.
  public func performChanges(_ block: sending (inout AssetChanges) -> Void) async throws(EditError) {
    var changes = AssetChanges()
    block(&changes)
    let requests = changes.requests
    try await withWorkerThread(about: path) { isCancelled throws(EditError) in
      try self.perform(requests, isCancelled)
    }
  }

  private func perform(
    _ requests: [(asset: Asset, request: AssetChangeRequest)], _ isCancelled: @escaping @Sendable () -> Bool
  ) throws(EditError) {
    let library = try Library.forWriting(path, layout: layout, report: report)
    defer { library.close() }
    WorkFolder.recoverAll(in: try FolderListing(folder: library.homePath))
    let editor = AssetEditor(renderer: renderer, layout: layout, isCancelled: isCancelled, report: report)
    var commits: [AssetCommit] = []
    for (asset, request) in requests {
      if isCancelled() { throw EditError.stopped(asset.path) }
      if let output = request.contentEditingOutput {
        guard request.version == nil else {
          throw EditError(
            .invalidEdit, file: asset.path,
            "cannot get a new version and switch to an existing one in the same change",
            remedy: "set either contentEditingOutput or version")
        }
        commits.append(try library.adding(output, to: asset))
      } else if let version = request.version {
        let state = try library.state(named: asset.name)
        if let commit = try editor.prepare(state, in: library, version).1 { commits.append(commit) }
      }
    }
    if isCancelled() { throw EditError.stopped(path) }
    var marks: [String: MarkChange] = [:]
    for (asset, request) in requests where request.isFavourite != nil || request.isHidden != nil {
      marks[asset.stem] = MarkChange(favourite: request.isFavourite, hidden: request.isHidden)
    }
    try library.commit(commits, marks: marks)
  }
}

extension Library {
  /// The maximum size of adjustment data in bytes. Base64 increases the size by a third, and files are read only up to
  /// 16 MB.
  private static let largestAdjustment = 8 << 20

  /// Returns the commit that makes an edit's output the current version.
  fileprivate func adding(_ output: ContentEditingOutput, to asset: Asset) throws(EditError) -> AssetCommit {
    let input = output.input
    let state = try state(named: asset.name, isLeaving: false)
    guard input.asset.stem == asset.stem, HistoryPosition(state.record) == HistoryPosition(input.record)
    else {
      throw EditError(
        .conflict, file: asset.path, "has changed since this edit began",
        remedy: "request a new content editing input and edit again")
    }
    guard let adjustment = output.adjustmentData else {
      throw EditError(
        .invalidEdit, file: asset.path, "cannot be changed: the edit has no adjustment data",
        remedy: "set adjustmentData on the content editing output")
    }
    if adjustment.isOwn {
      guard let own = adjustment.decoded(), own.edit.isIdentity || output.rendered?.adjustment == adjustment
      else {
        throw EditError(
          .invalidEdit, file: asset.path,
          "cannot be changed: its adjustment data, in liveedit's own format, does not match the rendered edit",
          remedy:
            "use AdjustmentData(edit:settings:) with the edit and settings that were rendered, or use a format"
            + " of your own")
      }
    }
    guard adjustment.data.count <= Self.largestAdjustment else {
      throw EditError(
        .invalidEdit, file: asset.path, "cannot be changed: the adjustment data exceeds 8 MB",
        remedy: "leave out data that can be derived from the rest")
    }
    let isIdentity = adjustment.decoded()?.edit.isIdentity == true
    return try addingVersion(
      to: state, base: input.baseVersion, adjustment: adjustment,
      outputs: isIdentity ? [:] : try takeOver(output, of: asset),
      origin: adjustment.isOwn ? .rendered : .foreign,
      build: adjustment.isOwn && !isIdentity ? output.rendered?.build ?? "" : "")
  }

  /// Copies the output's files into the library's work files. The output's own files are kept in case the change fails.
  private func takeOver(_ output: ContentEditingOutput, of asset: Asset) throws(EditError) -> [FileRole:
    String]
  {
    let paths = output.paths
    for (role, path) in paths where try !whileReading(path, { try FileStatus.exists(path) }) {
      throw EditError(
        .notFound, file: asset.path,
        role == .photo
          ? "cannot be changed: its edited photo was not written"
          : "cannot be changed: its edited movie was not written",
        remedy: "save the edit to the content editing output first")
    }
    // If the sources are paired by an identifier, the output files must be paired too.
    let isTied = try HalfIdentifier.shared(by: output.input.sources) != nil
    if try HalfIdentifier.shared(by: paths) == nil, isTied {
      throw EditError(
        .pairing, file: asset.path,
        "cannot be changed: its edited photo and movie do not share an identifier",
        remedy: "render them with LivePhotoEditingContext, or write the same identifier to both")
    }
    var outputs: [FileRole: String] = [:]
    for (role, path) in paths {
      let target = try workFile(role.rawValue)
      try copyFile(path, to: target)
      outputs[role] = target
    }
    return outputs
  }
}
