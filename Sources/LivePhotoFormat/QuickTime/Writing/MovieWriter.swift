import Basics
import EditModel

/// Rewrites a movie. The atoms keep their order, and the `moov` atom keeps its position. A single `mdat` atom contains
/// only the chunks of tracks, in the order of the source.
///
/// Call ``init(movie:source:video:orientation:identifier:sound:plan:still:sink:)``, then
/// ``append(_:presentationTime:isSync:)`` for every new frame in decoding order, then ``finish()``. Skip the second
/// step if the movie's own frames are kept.
package final class MovieWriter {
  /// The parts of the source that are not copied because they would be invalid in the new movie.
  package var removals: [Removal] { rewrite.removals }
  /// Additional notes to show to the user, one sentence each.
  package var notes: [Message] { rewrite.notes }

  private struct Piece {
    let track: Int
    let chunk: Int
    let place: Int
  }

  private let movie: Movie
  private let source: any ByteSource
  private let sink: any ByteSink
  private let rewrite: MovieRewrite

  /// All chunks of the remaining tracks, in order.
  private let pieces: [Piece]
  private var nextPiece = 0
  /// The number of new frames that are still missing from the current chunk.
  private var missingFrames = 0
  /// The new chunk offsets, indexed by track and chunk.
  private var offsets: [[Int]]
  private var tables = VideoTables()
  private var position = 0
  private var mediaStart = 0
  private var moovPlace: (offset: Int, size: Int)?
  private var remainingAtoms: ArraySlice<FileAtom>

  /// Plans the new movie, and writes all data before the first new frame.
  ///
  /// - Parameters:
  ///   - video: A description of the new frames, or nil to keep the movie's own frames.
  ///   - orientation: The orientation in which the stored frames of the result are displayed.
  ///   - identifier: The new content identifier, or nil to keep the movie's existing identifier, if any.
  ///   - plan: A plan of the displayed frames and their times, or nil to display every frame at its own time.
  ///   - still: The time, in seconds on the source's timeline, of the frame that becomes the key photo, or nil to keep
  ///     the original photo.
  package convenience init(
    movie: Movie, source: any ByteSource, video: EncodedVideo?, orientation: Orientation,
    identifier: String?, sound: SoundChange = .none, plan: MotionPlan? = nil, still: Double? = nil,
    sink: any ByteSink
  ) throws {
    let rewrite = try MovieRewrite(
      of: movie, source: source, video: video, orientation: orientation, identifier: identifier,
      sound: sound, plan: plan, still: still)
    try self.init(movie: movie, source: source, rewrite: rewrite, sink: sink)
  }

  /// Writes all data of a planned movie before the first new frame.
  ///
  /// - Parameter putsTablesFirst: Whether the `moov` atom is written before the media, regardless of its original
  ///   position.
  init(
    movie: Movie, source: any ByteSource, rewrite: MovieRewrite, putsTablesFirst: Bool = false,
    sink: any ByteSink
  ) throws {
    self.movie = movie
    self.source = source
    self.sink = sink
    self.rewrite = rewrite
    pieces = rewrite.tracks.enumerated()
      .flatMap { track, output in
        output.layout.places.enumerated().map { Piece(track: track, chunk: $0.offset, place: $0.element) }
      }
      .sorted { ($0.place, $0.track, $0.chunk) < ($1.place, $1.track, $1.chunk) }
    offsets = rewrite.tracks.map { [Int](repeating: 0, count: $0.layout.chunks.count) }
    var atoms = movie.fileAtoms
    if putsTablesFirst, let media = atoms.firstIndex(where: { $0.kind == "mdat" }),
      let moov = atoms.firstIndex(where: { $0.kind == "moov" }), media < moov
    {
      atoms.insert(atoms.remove(at: moov), at: media)
    }
    remainingAtoms = atoms[...]

    try writeAtoms(beforeMedia: true)
    mediaStart = position
    try emit([0, 0, 0, 8] + Array("wide".utf8) + [0, 0, 0, 8] + Array("mdat".utf8))
    try writePieces()
  }

  /// Writes the next new frame. Frames must be passed in decoding order.
  ///
  /// - Parameters:
  ///   - sample: The compressed frame. Each NAL unit is preceded by its length in four bytes.
  ///   - presentationTime: The presentation time in ticks of the video's time scale.
  ///   - isSync: Whether the frame can be decoded independently.
  package func append(_ sample: [UInt8], presentationTime: Int64, isSync: Bool) throws {
    guard nextPiece < pieces.count, missingFrames > 0 else {
      throw MediaError("the encoder produced more frames than the movie has samples")
    }
    // Sample tables support this range, and the sums and differences of such times do not overflow.
    guard presentationTime.magnitude < 1 << 48 else {
      throw MediaError("a frame has an impossible presentation time")
    }
    let piece = pieces[nextPiece]
    if missingFrames == chunk(of: piece).sampleCount { offsets[piece.track][piece.chunk] = position }
    try emit(sample)
    tables.append(
      size: sample.count, presentationTime: Int(presentationTime), isSync: isSync)
    missingFrames -= 1
    if missingFrames == 0 {
      nextPiece += 1
      try writePieces()
    }
  }

  /// Writes all data after the media.
  package func finish() throws {
    guard nextPiece == pieces.count else {
      throw MediaError("the encoder produced fewer frames than the movie has samples")
    }
    try closeMedia()
    try writeAtoms(beforeMedia: false)
    if let place = moovPlace {
      let moov = try finishedMoov(wide: position > Int(UInt32.max))
      // The filler cannot have a negative size, because both sizes come from the same code and the reserved size allows
      // for the widest tables.
      let filler = Atom("free", [UInt8](repeating: 0, count: place.size - moov.count - 8))
      try sink.overwrite(at: place.offset, moov + filler.serialized)
    }
  }

  // MARK: Media

  private func chunk(of piece: Piece) -> SampleTable.Chunk {
    rewrite.tracks[piece.track].layout.chunks[piece.chunk]
  }

  /// Writes all chunks up to the next chunk that needs new frames.
  private func writePieces() throws {
    while nextPiece < pieces.count {
      let piece = pieces[nextPiece]
      let chunk = chunk(of: piece)
      offsets[piece.track][piece.chunk] = position
      switch rewrite.tracks[piece.track].media {
      case .copied:
        try copy(from: chunk.offset, count: chunk.byteCount)
      case .scaled(let sound, let factor):
        try copy(from: chunk.offset, count: chunk.byteCount, wholes: sound.size) {
          sound.scale(&$0, by: factor)
        }
      case .samples(let samples):
        for sample in samples[chunk.firstSample..<chunk.firstSample + chunk.sampleCount] { try emit(sample) }
      case .encoded:
        missingFrames = chunk.sampleCount
        if missingFrames > 0 { return }
      }
      nextPiece += 1
    }
  }

  private func closeMedia() throws {
    let size = position - mediaStart - 8
    // Writes either a short header after an empty atom, or a long header that occupies the space of both.
    let header =
      size <= Int(UInt32.max)
      ? Atom("wide", []).serialized + [UInt8](words: [size]) + Array("mdat".utf8)
      : [UInt8](words: [1]) + Array("mdat".utf8) + [UInt8](words: [(size + 8) >> 32, size + 8])
    try sink.overwrite(at: mediaStart, header)
  }

  private func emit(_ bytes: [UInt8]) throws {
    try sink.write(bytes)
    position += bytes.count
  }

  /// Copies bytes of the source block by block, and applies a change to each block. The size of every block except the
  /// last block is a multiple of `wholes` bytes.
  private func copy(
    from offset: Int, count: Int, wholes: Int = 1, change: (inout [UInt8]) -> Void = { _ in }
  ) throws {
    let step = (1 << 20) / wholes * wholes
    var done = 0
    while done < count {
      let part = min(step, count - done)
      var bytes = try source.read(at: offset + done, count: part)
      change(&bytes)
      try emit(bytes)
      done += part
    }
  }

  // MARK: Atoms around the media

  private func writeAtoms(beforeMedia: Bool) throws {
    while let atom = remainingAtoms.first {
      if beforeMedia && atom.kind == "mdat" { return }
      remainingAtoms.removeFirst()
      switch atom.kind {
      case "mdat", "wide", "free", "skip":
        break
      case _ where rewrite.dropped.contains(atom.offset) || MovieFragments.kinds.contains(atom.kind):
        break
      case "ftyp" where rewrite.fileType != nil:
        try emit(Atom("ftyp", rewrite.fileType ?? []).serialized)
      case "moov" where beforeMedia:
        // Reserves space for the widest tables. The unused remainder becomes padding.
        let size = try reservedMoovSize + 8
        moovPlace = (position, size)
        try emit([UInt8](repeating: 0, count: size))
      case "moov":
        try emit(finishedMoov(wide: position > Int(UInt32.max)))
      default:
        try copy(from: atom.offset, count: atom.size)
      }
    }
  }

  /// The maximum size of the `moov` atom in bytes, regardless of the encoder's output.
  private var reservedMoovSize: Int {
    get throws {
      let frames = rewrite.tracks.reduce(0) {
        if case .encoded = $1.media { $0 + $1.layout.sampleCount } else { $0 }
      }
      // The sum allows for the new sizes, composition offsets and sync samples, and for the headers of their tables.
      return try finishedMoov(wide: true).count + frames * (4 + 8 + 4) + 4 * 32
    }
  }

  private func finishedMoov(wide: Bool) throws -> [UInt8] {
    var moov = rewrite.moov
    var finished = try rewrite.tracks.indices.map { try track(at: $0, wide: wide) }[...]
    let kept = Set(rewrite.tracks.map(\.source.header.trackID))
    try moov.changeChildren { children in
      children = try children.compactMap { child in
        guard child.kind == "trak" else { return child }
        guard let header = try child.first("tkhd").map({ try TrackHeader($0) }),
          kept.contains(header.trackID)
        else { return nil }
        return finished.popFirst()
      }
    }
    return moov.serialized
  }

  private func track(at index: Int, wide: Bool) throws -> Atom {
    let output = rewrite.tracks[index]
    var atom = output.atom
    try atom.update("mdia", "minf", "stbl") { stbl in
      switch output.media {
      case .copied, .scaled:
        break
      case .encoded:
        try tables.write(
          into: &stbl, decodeTimes: output.layout.durations.starts, duration: output.layout.durations.ticks,
          isQuickTime: movie.isQuickTime)
      case .samples(let samples):
        try stbl.put(SampleTable.sizeTable(samples.map(\.count)))
        try stbl.remove(["stz2"])
      }
      let places = offsets[index]
      let new =
        wide
        ? Atom("co64", words: [0, places.count] + places.flatMap { [$0 >> 32, $0] })
        : Atom("stco", words: [0, places.count] + places)
      try stbl.changeChildren { children in
        let old = children.firstIndex { $0.kind == "stco" || $0.kind == "co64" }
        if let old { children[old] = new } else { children.append(new) }
      }
    }
    return atom
  }
}
