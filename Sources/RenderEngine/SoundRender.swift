import Codecs
import EditModel
import LivePhotoFormat

/// The change that the volume of a job makes to a movie's sound.
///
/// - Parameter part: the part of the movie's timeline that is heard, in seconds; nil for all of it.
/// - Throws: ``Basics/MediaError`` when sound cannot be made quieter; what `stop` throws.
func soundChange(
  of movie: Movie, _ half: RenderJob.Half, volume: Double, heardIn part: Range<Double>?, stop: StopSignal
) throws -> SoundChange {
  if volume == 1 { return .none }
  guard volume > 0 else { return .removed }
  var recoded: [Int: [[UInt8]]] = [:]
  do {
    for (track, packets) in try movie.compressedSound(heardIn: part) {
      recoded[track] = try SoundTranscoder.scaledPackets(
        path: half.source, trackID: track, by: volume, packets: packets, isCancelled: { stop.isStopped })
    }
  } catch is CancellationError {
    try stop.check()
  }
  return .scaled(by: volume, recoded: recoded)
}
