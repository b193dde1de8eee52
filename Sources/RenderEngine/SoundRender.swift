import Codecs
import EditModel
import LivePhotoFormat

/// The change that the volume of a job makes to a movie's sound.
///
/// - Throws: ``Basics/MediaError`` when sound cannot be made quieter; what `stop` throws.
func soundChange(of movie: Movie, _ half: RenderJob.Half, volume: Double, stop: StopSignal) throws
  -> SoundChange
{
  if volume == 1 { return .none }
  guard volume > 0 else { return .removed }
  var recoded: [Int: [[UInt8]]] = [:]
  do {
    for track in try movie.compressedSoundTracks() {
      recoded[track] = try SoundTranscoder.scaledPackets(
        path: half.source, trackID: track, by: volume, isCancelled: { stop.isStopped })
    }
  } catch is CancellationError {
    try stop.check()
  }
  return .scaled(by: volume, recoded: recoded)
}
