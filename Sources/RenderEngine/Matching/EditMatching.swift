import Basics
import Codecs
package import EditModel
import FileSystem
import LivePhotoFormat
import Matching
import Rendering

/// Determines the edit that converts one photo to another photo. Only the job's report is written.
///
/// - Parameters:
///   - job: The files.
///   - isCancelled: Called before every step. The work stops if the result is true.
/// - Returns: The edit, and how well it explains the edited photo.
/// - Throws: ``EditError`` if a file cannot be read or decoded, if one photo is not an edit of the other, or if the
///   work was cancelled.
package func matchEdit(_ job: MatchJob, isCancelled: () -> Bool) throws(EditError) -> FoundEdit {
  func reading<Value>(_ path: String, _ work: () throws -> Value) throws(EditError) -> Value {
    if isCancelled() {
      throw EditError(.cancelled, file: path, "was not compared: the operation was cancelled")
    }
    do { return try work() } catch { throw EditError(reading: path, error) }
  }
  let original = try reading(job.keyFrame?.movie ?? job.original) {
    guard let frame = job.keyFrame else { return try DecodedPhoto(path: job.original) }
    return try DecodedPhoto(keyFrame: frame.motion.motion, of: frame.movie)
  }
  let edited = try reading(job.edited) { try DecodedPhoto(anyPicture: job.edited) }
  return try reading(job.edited) {
    var upright = try (original: original.upright, edited: edited.upright)
    var edit = Edit.identity
    var placeError = 0.0
    if let known = job.known {
      (edit.orientation, edit.geometry) = (known.orientation, known.geometry)
    } else {
      let match = try GeometryMatch(original: upright.original, edited: upright.edited)
      (edit.orientation, edit.geometry, placeError) = (match.orientation, match.geometry, match.placeError)
      upright.edited = upright.edited.part(match.content)
    }
    guard job.wantsColors else { return FoundEdit(edit, placeError: placeError) }
    let turned = upright.original.turned(by: edit.orientation)
    let plan = try GeometryPlan(
      edit.geometry,
      of: GeometryPlan.Picture(
        width: turned.format.width, height: turned.format.height, sampling: turned.format.sampling))
    let placed = plan.isIdentity ? turned : try plan.applied(to: turned)
    let colors = try ColorMatch(
      original: ColorMatch.Picture(placed, profile: original.profile),
      edited: ColorMatch.Picture(upright.edited, profile: edited.profile),
      source: plan.sources.then(PictureProjection(edit.orientation).inverse))
    (edit.look, edit.local) = (colors.look, colors.local)
    for (parameter, value) in colors.vignetteValues { edit[parameter] = value }
    // The noise in a movie frame differs from the noise in the photo.
    if job.keyFrame == nil {
      let grain = GrainFit(original: placed, edited: upright.edited)
      for (parameter, value) in grain.values { edit[parameter] = value }
    }
    if let path = job.report, let picture = colors.comparison {
      try write(JPEGCodec.encode(picture, quality: 90), to: path)
    }
    return FoundEdit(
      edit, placeError: placeError, colorError: colors.error, unexplained: colors.remainder.share,
      unexplainedPlace: colors.remainder.place)
  }
}

extension PlanarFrame {
  /// Returns an area of the picture, reduced to whole chroma samples. If nothing would remain, returns the whole
  /// picture.
  fileprivate func part(_ place: FoundEdit.Place) -> PlanarFrame {
    func span(_ first: Double, _ length: Double, _ side: Int) -> Range<Int> {
      let (low, high) = (first * Double(side), (first + length) * Double(side))
      let start = 2 * Int((low / 2 - 1e-6).rounded(.up))
      let end = high > Double(side) - 0.5 ? side : 2 * Int((high / 2 + 1e-6).rounded(.down))
      return max(start, 0)..<max(min(end, side), max(start, 0))
    }
    let columns = span(place.left, place.width, format.width)
    let rows = span(place.top, place.height, format.height)
    guard columns.count < format.width || rows.count < format.height, columns.count > 1, rows.count > 1 else {
      return self
    }
    var kept = format
    (kept.width, kept.height) = (columns.count, rows.count)
    return part(from: (columns.lowerBound, rows.lowerBound), kept)
  }
}
