/// A change to a movie's audio.
package enum SoundChange: Sendable {
  /// The audio remains byte-identical.
  case none
  /// The audio tracks are removed and reported.
  case removed
  /// The volume is reduced. Uncompressed samples are multiplied in place. For each compressed track, the dictionary
  /// contains new packets with the same number and durations as the old packets. Its keys are track IDs.
  case scaled(by: Double, recoded: [Int: [[UInt8]]])
}

extension Movie {
  /// Returns the audio tracks with compressed samples.
  ///
  /// - Parameter part: The audible part of the movie's timeline, in seconds, or nil if the entire movie is audible.
  /// - Returns: The IDs of the tracks, and for each track the range of needed packets, counted from 0. Inaudible tracks
  ///   are omitted.
  /// - Throws: ``MediaError`` if the volume of a track's audio format cannot be changed.
  package func compressedSound(heardIn part: Range<Double>? = nil) throws -> [(
    track: Int, packets: Range<Int>
  )] {
    try tracks.filter { $0.handler == "soun" && $0.samples.sampleCount > 0 }
      .filter { try UncompressedSound($0) == nil }
      .compactMap { track in
        let heard = try part.map {
          try track.samples(heardIn: $0, movieTimeScale: timeScale)?.samples ?? 0..<0
        }
        let packets = heard ?? 0..<track.samples.sampleCount
        return packets.isEmpty ? nil : (Int(track.header.trackID), packets)
      }
  }
}
