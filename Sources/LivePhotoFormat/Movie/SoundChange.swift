/// What becomes of a movie's sound.
public enum SoundChange: Sendable {
  /// Every bit stays.
  case none
  /// Its tracks are left out, and named.
  case removed
  /// It is made quieter: uncompressed samples are multiplied in place; the packets of compressed tracks are replaced
  /// by others, as many and of the same durations, given by the tracks' numbers.
  case scaled(by: Double, recoded: [Int: [[UInt8]]])
}

extension Movie {
  /// The numbers of the sound tracks whose samples are compressed.
  ///
  /// - Throws: ``MediaError`` when a track has sound of a kind that nobody can multiply.
  public func compressedSoundTracks() throws -> [Int] {
    try tracks.filter { $0.handler == "soun" && $0.samples.sampleCount > 0 }
      .filter { try UncompressedSound($0) == nil }
      .map { Int($0.header.trackID) }
  }
}
