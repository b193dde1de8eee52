import Basics
import EditLibrary
public import EditModel
import Workflows

/// The input of an edit: the files that the edit is applied to, and the last edit if it can be resumed.
///
///     if let last = input.adjustmentData?.decoded() {
///       print("resumes", last.edit, "from version", input.baseVersion)
///     }
public struct ContentEditingInput: Sendable {
  /// The asset to edit.
  public let asset: Asset
  /// The files that the edit is applied to: if the last edit is resumed, the files from before that edit; otherwise,
  /// the files of the current version. Do not modify the files.
  public let livePhoto: LivePhoto
  /// The last edit, if `canHandleAdjustmentData` returned true for it; otherwise nil. If this property is nil and the
  /// asset was edited, the pictures already contain the last edit.
  public let adjustmentData: AdjustmentData?
  /// The number of the version that the files belong to; 0 is the original.
  public let baseVersion: Int
  /// Notes for the user, one sentence each.
  public let notes: [Message]

  /// The asset's record at the time of the request.
  let record: AssetRecord
  let library: PhotoLibrary
  /// The paths of the files, by role.
  let sources: [FileRole: String]
  /// The original files behind the base version, if another program made the base version's photo.
  let adopted: AdoptedBase?
}

/// A state of an asset's history. Two states are equal if the asset did not change between them.
struct HistoryPosition: Equatable, Sendable {
  private let current: Int
  private let lastVersion: Int?
  /// The names and hashes of the originals. An original's file status may change, for example when a hard link is
  /// added. Its content may not change.
  private let originals: [[String]]

  init(_ record: AssetRecord) {
    current = record.current
    lastVersion = record.versions.last?.number
    originals = record.originals.map { [$0.name, $0.fingerprint.sha256] }
  }
}

extension PhotoLibrary {
  /// Returns the input for an edit of an asset.
  ///
  /// As in PhotoKit, the program decides whether it can resume the last edit. If the asset was edited,
  /// `canHandleAdjustmentData` is called with the adjustment data of the last edit. If the closure returns true, the
  /// input contains this data and the files from before the last edit, and the program can change the edit. If the
  /// closure returns false, the input contains the files of the current version and no adjustment data: the last edit
  /// is kept, and the new edit is applied on top of it. If another program changed the rendered files afterwards, the
  /// adjustment data no longer describes them, and `canHandleAdjustmentData` is not called.
  ///
  ///     let input = try await library.requestContentEditingInput(for: asset) { data in
  ///       data.formatIdentifier == "com.example.falsecolour" && data.formatVersion == "1"
  ///     }
  ///
  /// - Parameters:
  ///   - asset: The asset to edit.
  ///   - canHandleAdjustmentData: Returns whether the program understands the last edit. This closure is called on
  ///     another thread, and again if another process edits the asset at the same moment.
  /// - Throws: ``Basics/EditError`` if the asset cannot be edited, or if the task was cancelled.
  public func requestContentEditingInput(
    for asset: Asset, canHandleAdjustmentData: @escaping @Sendable (AdjustmentData) -> Bool
  ) async throws(EditError) -> ContentEditingInput {
    try await withWorkerThread(about: asset.path) { isCancelled throws(EditError) in
      try Library.reading(self.path, layout: self.layout, report: self.report) { library throws(EditError) in
        if isCancelled() { throw EditError.stopped(asset.path) }
        return try self.input(asset, in: library, canHandleAdjustmentData)
      }
    }
  }

  private func input(
    _ asset: Asset, in library: Library, _ canHandleAdjustmentData: (AdjustmentData) -> Bool
  ) throws(EditError) -> ContentEditingInput {
    let state = try library.state(named: asset.name, isLeaving: false)
    let record = state.record
    let start = EditStart(of: record) { current in
      // If another program changed the pictures, the edit no longer describes the difference between the base and the
      // pictures.
      guard current.origin != .changed, let data = current.adjustment,
        current.base == 0 || record.version(current.base)?.hasFiles == true
      else { return false }
      return canHandleAdjustmentData(data)
    }
    let sources = try RenderPlan.sources(start.base, record, library)
    return ContentEditingInput(
      asset: asset, livePhoto: LivePhoto(photoPath: sources[.photo], moviePath: sources[.movie]),
      adjustmentData: start.last, baseVersion: start.base, notes: state.notes,
      record: record, library: self, sources: sources, adopted: AdoptedBase(of: start.base, record, library))
  }
}
