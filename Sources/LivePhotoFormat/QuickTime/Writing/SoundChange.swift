/// A change of a movie's sound.
package enum SoundChange: Sendable {
  /// Every bit stays.
  case none
  /// Its tracks are left out, and named.
  case removed
  /// It is made quieter: uncompressed samples are multiplied in place; the packets of compressed tracks are replaced
  /// by others, as many and of the same durations, given by the tracks' numbers.
  case scaled(by: Double, recoded: [Int: [[UInt8]]])
}

extension Movie {
  /// The sound tracks whose samples are compressed.
  ///
  /// - Parameter part: the part of the movie's timeline that is heard, in seconds; nil for all of it.
  /// - Returns: their numbers, and which of their packets are needed, counted from 0; none that is not heard.
  /// - Throws: ``MediaError`` when a track has sound of a kind that nobody can multiply.
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
