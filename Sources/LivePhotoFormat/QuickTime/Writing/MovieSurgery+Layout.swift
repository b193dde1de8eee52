extension MovieSurgery {
  /// Copies the display layout of the frames from another file of the same movie: the clean aperture, the pixel aspect
  /// ratio, and the resulting size. The copy is necessary because libavformat's muxer does not write a clean aperture,
  /// and writes a pixel aspect ratio only if the coded frames also declare it.
  ///
  /// If the stored frames of the two files differ in size, this movie's frames are displayed without cropping.
  ///
  /// - Parameter other: The movie from which this movie was created.
  /// - Returns: Whether the display layout changed.
  /// - Throws: ``MediaError`` if this movie has no video track, or if a sample description is damaged.
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
    // This is the size of the box into which players fit the displayed picture.
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
