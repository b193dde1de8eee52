import Basics
import EditLibrary
import EditModel
import FileSystem
import LivePhotoFormat

extension EditSource {
  /// Compares the capture date and location in the two halves.
  ///
  /// - Returns: The comparison, or nil if either half is missing.
  /// - Throws: ``Basics/EditError`` if a file cannot be read.
  func agreement() throws(EditError) -> FactsAgreement? {
    guard let photoPath = files[.photo], let moviePath = files[.movie] else { return nil }
    let photo = try readFile(photoPath) { try Photo($0).metadata() }
    let movie = try readFile(moviePath) { try MovieMetadata(reading: $0) }
    return FactsAgreement(
      photo: HalfFacts(created: photo.created, location: photo.location),
      movie: HalfFacts(created: movie.created, location: movie.location))
  }

  /// Returns the metadata change that makes both halves agree on the capture date and location, using the photo's
  /// values.
  ///
  /// - Returns: The change, or nil if the halves do not contradict each other or if either half is missing.
  /// - Throws: ``Basics/EditError`` if a file cannot be read.
  package func factsThatAgree() throws(EditError) -> Facts? {
    let facts = try agreement()?.agreeing
    return facts?.isNeutral == true ? nil : facts
  }

  /// Returns the edit with changes that make both halves agree on the capture date and location. These changes replace
  /// the edit's earlier changes to the same values.
  ///
  /// - Throws: ``Basics/EditError`` if a file cannot be read.
  package func agreeing(in edit: Edit) throws(EditError) -> Edit {
    guard let facts = try factsThatAgree() else { return edit }
    var edit = edit
    if let date = facts.date { edit.facts.date = date }
    if let place = facts.place { edit.facts.place = place }
    return edit
  }
}
