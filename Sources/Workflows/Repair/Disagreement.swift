import Basics
import EditLibrary
import EditModel

/// A Live Photo whose halves contradict each other in their capture date or location.
package struct Disagreement: Sendable {
  /// The originals of the Live Photo.
  package let asset: OriginalFiles
  /// The capture date and location in each half of the current version.
  package let agreement: FactsAgreement

  /// The values that both halves will get. The values come from the photo, because a Live Photo is listed and sorted by
  /// its photo.
  package var facts: Facts { agreement.agreeing }
  /// The values that both halves will get, in words.
  package var words: [Message] { facts.words }
}

extension AssetEditor {
  /// Checks whether the halves of a Live Photo's current version contradict each other.
  ///
  /// - Parameter path: The path of one of the Live Photo's files.
  /// - Returns: The contradiction, or nil if the halves agree or one half is missing.
  /// - Throws: ``Basics/EditError`` if the files cannot be read, or if it is unclear which files belong together.
  package func disagreement(of path: String) throws(EditError) -> Disagreement? {
    var locator = AssetLocator(layout: layout, report: report)
    let asset = try locator.locate(path)
    return try Library.reading(asset.folder, layout: layout, report: report) { library throws(EditError) in
      let record = try library.state(of: asset, hashesOriginals: false, isReading: true).record
      let sources = try RenderPlan.sources(record.pictured, record, library)
      guard let agreement = try EditSource(files: sources).agreement(), agreement.isContradiction else {
        return nil
      }
      return Disagreement(asset: asset, agreement: agreement)
    }
  }

  /// Sets the date and location of both halves to the photo's values. This adds a version, like any other edit.
  ///
  /// - Returns: The result of the edit.
  /// - Throws: ``EditError`` if the edit fails. Nothing is changed in that case.
  package func settle(_ disagreement: Disagreement) throws(EditError) -> EditOutcome? {
    let facts = disagreement.facts
    let change = ChangeOfEdit.by(
      { edit, _ in
        var edit = edit
        edit.facts.date = facts.date ?? edit.facts.date
        edit.facts.place = facts.place ?? edit.facts.place
        return edit
      }, settings: SettingsChange())
    return try edit(disagreement.asset, change)
  }
}
