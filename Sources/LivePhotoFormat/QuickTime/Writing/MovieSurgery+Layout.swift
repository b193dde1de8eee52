extension MovieSurgery {
  /// Takes over how another file of the same movie says that its frames are shown: their clean aperture, the shape of their pixels,
  /// and the size that follows from both. libavformat's muxer writes no clean aperture, and pixels that are not square only where
  /// the coded frames say so too.
  ///
  /// Where the stored frames have another size than there, they are shown whole.
  ///
  /// - Parameter other: the movie that this one was made of.
  /// - Returns: whether they are shown in another way than before.
  /// - Throws: ``MediaError`` when this movie has no video track, or its sample description is broken.
  package mutating func takeLayout(from other: Movie) throws -> Bool {
    let track = try movie.shownVideo
    var description = try track.visualDescription
    let before = description
    guard let old = try? other.shownVideo, let shown = try? old.visualDescription,
      (try? shown.checkIsUniform()) != nil, (shown.width, shown.height) == (before.width, before.height)
    else { return false }
    if let clap = shown.first("clap"), shown.holds(cleanAperture: clap) { description.put(clap) }
    if let aspect = shown.first("pasp"), shown.pixelAspect != before.pixelAspect { description.put(aspect) }
    guard description != before else { return false }
    let header = track.header
    // The box into which players fit what is shown.
    let size =
      old.header.width > 0 && old.header.height > 0
      ? (old.header.width, old.header.height) : (header.width, header.height)
    try moov.changeAll("trak") { trak in
      guard try trak.first("tkhd").map({ try TrackHeader($0).trackID }) == header.trackID else { return }
      try trak.update("tkhd") {
        try TrackHeader.rewrite(&$0, matrix: header.matrix, width: size.0, height: size.1)
      }
      try trak.update("mdia", "minf", "stbl") { try $0.put(description.stsd) }
    }
    return true
  }
}
