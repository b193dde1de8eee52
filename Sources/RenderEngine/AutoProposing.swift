import Basics
import Codecs
import EditModel
import FileSystem
import LivePhotoFormat
import Rendering

/// Analyses pictures and proposes improvements without writing anything.
///
/// - Parameters:
///   - job: The files. The movie is decoded only if the job has no photo.
///   - isCancelled: Called before every frame and every step. The work stops if the result is true.
/// - Returns: Proposed values for an edit of these files.
/// - Throws: ``EditError`` if a file cannot be read or decoded, or if the work was cancelled.
package func proposeAdjustments(
  _ job: AutoJob, isCancelled: () -> Bool
) throws(EditError) -> AutoProposal {
  guard let path = job.photo ?? job.movie else { return AutoProposal() }
  func step() throws {
    if isCancelled() { throw CancellationError() }
  }
  do {
    let shown = try job.photo == nil ? framesOfMovie(path, isCancelled) : pictureOfPhoto(path, step)
    try step()
    if let place = job.greyPlace { return try whiteBalance(of: shown, at: place) }
    var proposal = AutoAdjustment(shown.colors).proposal
    try step()
    if let picture = shown.picture {
      proposal.values.geometry.straighten = HorizonEstimate.degrees(of: picture, lean: shown.lean)
    }
    return proposal
  } catch is CancellationError {
    throw EditError(.cancelled, file: path, "was not analysed: the operation was cancelled")
  } catch {
    throw EditError(reading: path, error)
  }
}

/// The colours of all pictures, and one upright picture with its colour profile and its tilt as measured by the
/// accelerometer.
private typealias Shown = (colors: PictureColors, picture: PlanarFrame?, profile: [UInt8]?, lean: Double?)

/// Returns the temperature and tint that make a position grey.
private func whiteBalance(of shown: Shown, at place: AutoJob.Place) throws -> AutoProposal {
  guard let picture = shown.picture else { return AutoProposal() }
  var edit = Edit.identity
  guard let found = GreyPlace(picture, profile: shown.profile, x: place.x, y: place.y).whiteBalance else {
    throw MediaError(
      "the position \(place.x), \(place.y) is too dark or too saturated to become grey",
      remedy: "choose a position that was grey or white in the scene and is not clipped")
  }
  (edit[.temperature], edit[.tint]) = found
  return AutoProposal(edit)
}

private func pictureOfPhoto(_ path: String, _ step: () throws -> Void) throws -> Shown {
  let photo = try Photo(FileByteSource(path: path))
  let decoded = try DecodedPhoto(photo)
  try step()
  var colors = PictureColors(profile: decoded.profile, isBalanced: try photo.metadata().isBalanced)
  colors.add(decoded.picture)
  return (colors, try decoded.upright, decoded.profile, try lean(of: photo))
}

/// Returns the clockwise tilt of a photo in degrees, as measured by the camera's accelerometer, or nil if the
/// measurement is unreliable.
private func lean(of photo: Photo) throws -> Double? {
  guard let hold = try photo.metadata().hold else { return nil }
  // Hand movement also affects the accelerometer, and a camera that points up or down has no upright direction.
  return abs(hold.strength - 1) <= 0.04 && abs(hold.pitch) <= 30 ? hold.lean : nil
}

/// Returns the colours of evenly spaced movie frames, and the middle frame.
private func framesOfMovie(_ path: String, _ isCancelled: () -> Bool) throws -> Shown {
  let summary = try MovieSummary(Movie(FileByteSource(path: path)))
  var shown: Shown = (PictureColors(), nil, nil, nil)
  let distance = max(1, summary.frameCount / 8)
  try VideoCheck.decode(path: path, trackID: summary.videoTrackID, isCancelled: isCancelled) { index, frame in
    if index % distance == distance / 2 { shown.colors.add(frame) }
    if index == summary.frameCount / 2 { shown.picture = frame.turned(by: summary.orientation) }
  }
  return shown
}
