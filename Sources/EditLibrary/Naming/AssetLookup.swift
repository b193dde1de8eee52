public import Basics

extension Library {
  /// What is recorded of the asset that a file belongs to, by its name alone: nothing but the catalogue is asked,
  /// so that it takes the same time in a folder of any size.
  ///
  /// - Parameter name: of an original, a render or the adjustment data.
  /// - Returns: nil when the catalogue knows no such asset under its name.
  public func record(named name: String) throws(EditError) -> AssetRecord? {
    let stem = RenderNames.Parts(name).stem
    let isAdjustments = RenderNames.Parts(name).fileExtension.lowercased() == "aae"
    if !isAdjustments, let original = RenderNames.originalStem(ofRender: stem),
      let record = try record(of: original)
    {
      return record
    }
    guard let record = try record(of: stem) else { return nil }
    let isKnown = record.originals.contains { $0.name == name } || isAdjustments
    return isKnown ? record : nil
  }
}
