import Basics

/// The facts about a movie that are needed to apply the rules.
package struct MovieEvidence: Sendable {
  /// The movie's structure, or nil if the movie could not be read.
  private(set) var movie: Movie?
  /// The first value of the movie's timed `video-orientation` metadata, or nil if the movie has no such metadata.
  private(set) var timedOrientation: Int?
  /// The broken rules that were found while reading the movie.
  private(set) var findings: [VerificationFinding] = []

  /// The ID of the movie's video track, or nil if the movie has no unambiguous video track.
  package var videoTrack: Int? { movie.flatMap { try? $0.video }.map { Int($0.header.trackID) } }

  /// The IDs of the audio tracks that are not empty.
  package var soundTracks: [Int] {
    (movie?.tracks ?? []).filter { $0.handler == "soun" && $0.samples.sampleCount > 0 }.map {
      Int($0.header.trackID)
    }
  }

  /// Reads a movie's structure without decoding frames or audio.
  ///
  /// - Throws: Any error that `source` throws. A damaged file does not cause an error, but is reported as a finding.
  package init(reading source: any ByteSource) throws {
    do {
      let movie = try Movie(source)
      timedOrientation = try Self.timedOrientation(movie, source)
      self.movie = movie
    } catch let error as MediaError {
      let rule = Self.brokenRule(source)
      findings.add(error, rule, .movie, "damaged")
      if !error.isUnsupported, rule.severity != .error {
        // Because part of the movie was not examined, the movie must not count as valid.
        findings.add(.notChecked, .movie, "The rest of the movie was not checked.")
      }
    }
  }

  /// Determines which part of a movie cannot be read.
  private static func brokenRule(_ source: any ByteSource) -> VerificationRule {
    guard let place = try? FileAtom.scan(source).first(where: { $0.kind == "moov" }),
      let tracks = try? Movie.moov(at: place, in: source).all("trak")
    else { return .movieReadable }
    for trak in tracks {
      guard (try? Track(trak, fileSize: source.count)) == nil, let tkhd = try? trak.first("tkhd"),
        (try? TrackHeader(tkhd)) != nil, let stbl = try? trak.first("mdia", "minf", "stbl")
      else { continue }
      if let stsd = try? stbl.first("stsd") {
        do { _ = try MetadataSampleDescription(stsd: stsd) } catch { return .metadataDescriptions }
      }
      if (try? SampleTable(stbl: stbl, sound: nil, fileSize: source.count)) == nil {
        return .sampleTables
      }
    }
    return .movieReadable
  }

  /// Returns the value in the first sample that contains a `video-orientation` key. The value is a signed number.
  private static func timedOrientation(_ movie: Movie, _ source: any ByteSource) throws -> Int? {
    for track in movie.tracks {
      guard let key = track.metadata?.keys.first(where: { $0.name == PictureMetadata.videoOrientation }),
        let chunk = track.samples.chunks.first(where: { $0.sampleCount > 0 })
      else { continue }
      let size = track.samples.size(of: chunk.firstSample)
      guard size <= 1 << 16, size <= chunk.byteCount else { continue }
      let sample = try source.read(at: chunk.offset, count: size)
      let items = (try? MetadataSampleDescription.items(of: sample)) ?? []
      if let payload = items.first(where: { $0.localID == key.localID })?.payload,
        (1...8).contains(payload.count)
      {
        return payload.dropFirst().reduce(Int(Int8(bitPattern: payload[0]))) { $0 << 8 | Int($1) }
      }
    }
    return nil
  }
}
