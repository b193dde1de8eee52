public import Basics
import EditLibrary
import EditModel
import FileSystem
import Workflows

/// The changes of one asset.
public struct AssetChangeRequest: Sendable {
  /// The output of an edit, which becomes the current version.
  public var contentEditingOutput: ContentEditingOutput?
  /// Another version that becomes current. Not together with an output.
  public var version: VersionChoice?
  /// True makes it a favourite, false takes that back; nil leaves it as it is.
  public var isFavourite: Bool?
  /// True hides it, false shows it again; nil leaves it as it is.
  public var isHidden: Bool?

  /// Makes the original current. All versions stay in the history.
  public mutating func revertAssetContentToOriginal() { version = .original }
}

/// The changes of the assets of a library, made all or none.
public struct AssetChanges: Sendable {
  fileprivate var requests: [(asset: Asset, request: AssetChangeRequest)] = []
  /// The places of the requests, by the stems of their assets.
  private var places: [String: Int] = [:]

  /// The changes of an asset.
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
  /// Changes assets, all or none: a crash at any moment leaves all of them as before or all as after.
  ///
  ///     try await library.performChanges { changes in
  ///       changes[asset].contentEditingOutput = output
  ///       changes[asset].isFavourite = true
  ///       changes[another].revertAssetContentToOriginal()
  ///     }
  ///
  /// - Parameter block: says what is to be changed. Called once, before anything is done.
  /// - Throws: ``Basics/EditError``; nothing has changed then, unless its code is
  ///   ``Basics/EditError/Code/unfinished``. With the code ``Basics/EditError/Code/conflict`` an asset was
  ///   changed since its input was requested.
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
            .invalidEdit, file: asset.path, "cannot get a new version and switch to an existing one in the same change",
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
  /// The most bytes of adjustment data. Base64 makes them a third larger in files that are read up to 16 MB.
  private static let largestAdjustment = 8 << 20

  /// The commit that makes an edit's output the current version.
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

  /// Copies the files of an output to where files in the making belong; it keeps its own, should the change fail.
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
    // Sources that are tied by an identifier need outputs that are tied by one.
    let isTied = try HalfIdentifier.shared(by: output.input.sources) != nil
    if try HalfIdentifier.shared(by: paths) == nil, isTied {
      throw EditError(
        .pairing, file: asset.path, "cannot be changed: its edited photo and movie do not share an identifier",
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
