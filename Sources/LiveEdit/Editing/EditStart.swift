import EditLibrary
import EditModel

/// The point from which the next edit of an asset starts.
struct EditStart {
  /// The version that the edit is applied to; 0 is the original.
  let base: Int
  /// The last edit, where it is resumed; otherwise it stays in the pictures of the base.
  let last: AdjustmentData?

  /// Resumes the last edit from its base, or starts on top of the version that is shown.
  ///
  /// - Parameters:
  ///   - record: the asset.
  ///   - resumes: whether the edit of the current version is understood and can be rendered from its base again.
  init(of record: AssetRecord, resumes: (Version) -> Bool) {
    if let current = record.currentVersion, resumes(current) {
      (base, last) = (current.base, current.adjustment)
    } else {
      (base, last) = (record.version(record.shown)?.hasRender == true ? record.shown : 0, nil)
    }
  }
}
