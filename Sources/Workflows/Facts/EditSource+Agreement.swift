import Basics
import EditLibrary
import EditModel
import FileSystem
import LivePhotoFormat

extension EditSource {
  /// The words of the two halves on when and where they were taken.
  ///
  /// - Returns: nil where one is missing.
  /// - Throws: ``Basics/EditError`` when a file cannot be read.
  func agreement() throws(EditError) -> FactsAgreement? {
    guard let photoPath = files[.photo], let moviePath = files[.movie] else { return nil }
    let photo = try readFile(photoPath) { try Photo($0).metadata() }
    let movie = try readFile(moviePath) { try MovieMetadata(reading: $0) }
    return FactsAgreement(
      photo: HalfFacts(created: photo.created, location: photo.location),
      movie: HalfFacts(created: movie.created, location: movie.location))
  }

  /// The facts that make both halves agree in when and where they were taken: those of the photo.
  ///
  /// - Returns: nil where the halves do not contradict each other, or one is missing.
  /// - Throws: ``Basics/EditError`` when a file cannot be read.
  package func factsThatAgree() throws(EditError) -> Facts? {
    let facts = try agreement()?.agreeing
    return facts?.isNeutral == true ? nil : facts
  }

  /// An edit with which both halves agree in when and where they were taken, whatever it changed of these before.
  ///
  /// - Throws: ``Basics/EditError`` when a file cannot be read.
  package func agreeing(in edit: Edit) throws(EditError) -> Edit {
    guard let facts = try factsThatAgree() else { return edit }
    var edit = edit
    if let date = facts.date { edit.facts.date = date }
    if let place = facts.place { edit.facts.place = place }
    return edit
  }
}
