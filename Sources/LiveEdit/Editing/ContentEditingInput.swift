import Basics
import EditLibrary
public import EditModel
import Workflows

/// The input of an edit: the files that it is applied to, and the last edit where it can be resumed.
///
///     if let last = input.adjustmentData?.decoded() {
///       print("resumes", last.edit, "from version", input.baseVersion)
///     }
public struct ContentEditingInput: Sendable {
  /// The asset.
  public let asset: Asset
  /// The files that the edit is applied to: those that the last edit was applied to, when it is resumed; what stands
  /// there now, otherwise. Only to be read.
  public let livePhoto: LivePhoto
  /// The last edit, when `canHandleAdjustmentData` said that it is understood. Otherwise nil: then the last edit, if
  /// there was any, is in the pictures.
  public let adjustmentData: AdjustmentData?
  /// The number of the version that the files are of; 0 is the original.
  public let baseVersion: Int
  /// Remarks for people, one sentence each.
  public let notes: [Message]

  /// The asset as it was recorded at that time.
  let record: AssetRecord
  let library: PhotoLibrary
  /// The files by role.
  let sources: [FileRole: String]
  /// The files behind the base, where another program made its photo.
  let adopted: AdoptedBase?
}

/// A moment in the history of an asset: two are equal when it was not changed in between.
struct HistoryPosition: Equatable, Sendable {
  private let current: Int
  private let lastVersion: Int?
  /// Names and hashes of the originals. Their status may change, by a link say; their content may not.
  private let originals: [[String]]

  init(_ record: AssetRecord) {
    current = record.current
    lastVersion = record.versions.last?.number
    originals = record.originals.map { [$0.name, $0.fingerprint.sha256] }
  }
}

extension PhotoLibrary {
  /// Gives the input of an edit of an asset, by PhotoKit's rule of who can handle what.
  ///
  /// When there was an edit, its adjustment data is shown to `canHandleAdjustmentData`. If that says true, the input
  /// has this data and the files that the last edit was applied to, so that the edit can be altered. If it says
  /// false, the input has the current version and no data: the last edit stays, and the new one comes on top.
  /// Where another program changed the pictures after they were rendered, the data does not describe them, and
  /// `canHandleAdjustmentData` is not called.
  ///
  ///     let input = try await library.requestContentEditingInput(for: asset) { data in
  ///       data.formatIdentifier == "com.example.falsecolour" && data.formatVersion == "1"
  ///     }
  ///
  /// - Parameters:
  ///   - asset: the asset.
  ///   - canHandleAdjustmentData: whether the program understands the last edit; called from another thread, again when
  ///     another process edits in that moment.
  /// - Throws: ``Basics/EditError`` when the asset cannot be edited, or the task was cancelled.
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
      // Where another program changed the pictures, the edit does not say how they came from the base.
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
