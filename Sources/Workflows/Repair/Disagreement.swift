import Basics
import EditLibrary
import EditModel

/// A Live Photo whose halves contradict each other in when or where they were taken.
package struct Disagreement: Sendable {
  /// The originals.
  package let asset: OriginalFiles
  /// The facts by the halves of the current version.
  package let agreement: FactsAgreement

  /// The facts that both halves are to get: those of the photo, which stands for a Live Photo wherever it is listed and sorted.
  package var facts: Facts { agreement.agreeing }
  /// The facts that both halves are to get, in words.
  package var words: [Message] { facts.words }
}

extension AssetEditor {
  /// Finds out whether the halves of a Live Photo's current version contradict each other.
  ///
  /// - Parameter path: of one of its files.
  /// - Returns: nil where they do not, or where one is missing.
  /// - Throws: ``Basics/EditError`` when the files cannot be read, or when it is not clear what belongs together.
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

  /// Gives both halves of a Live Photo the facts of its photo: one more version, as by any other edit.
  ///
  /// - Returns: what was done.
  /// - Throws: ``EditError``; nothing has changed then.
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
