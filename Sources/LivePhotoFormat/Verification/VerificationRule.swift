import Basics

/// The rules for a valid Live Photo, with their stable names.
package enum VerificationRule: String, Codable, CaseIterable, Sendable {
  /// A photo must exist.
  case photoMissing = "photo-missing"
  /// A movie must exist.
  case movieMissing = "movie-missing"
  /// Only one photo may exist.
  case onePhoto = "one-photo"
  /// Only one movie may exist.
  case oneMovie = "one-movie"
  /// The extension of a file must match the file's format, because Photos relies on the extension.
  case fileType = "file-type"
  /// The photo's structure must be valid.
  case photoReadable = "photo-readable"
  /// The movie's structure must be valid.
  case movieReadable = "movie-readable"
  /// The file of a HEIC photo must contain the data of all items.
  case itemData = "item-data"
  /// The items in a HEIC photo must not refer to missing items.
  case itemReferences = "item-references"
  /// The orientation in a HEIC photo's Exif must match the orientation in its properties.
  case photoOrientation = "photo-orientation"
  /// The thumbnail, gain map, depth map and other auxiliary images of a HEIC photo must have the same orientation as
  /// the photo.
  case auxiliaryPictures = "auxiliary-pictures"
  /// The photo must have an identifier in Apple's maker note.
  case photoIdentifier = "photo-identifier"
  /// The movie must have an identifier in its metadata.
  case movieIdentifier = "movie-identifier"
  /// Identifiers must be uppercase UUIDs.
  case identifierForm = "identifier-form"
  /// The identifiers of the photo and the movie must match character by character.
  case identifiersEqual = "identifiers-equal"
  /// The movie's metadata must be a plain QuickTime container in `moov`.
  case metadataPlain = "metadata-plain"
  /// The movie's duration must not be zero.
  case duration = "duration"
  /// The durations in the movie's headers must agree with the movie's samples.
  case headerDurations = "header-durations"
  /// The movie must have exactly one video track, or a video track that has more frames than any other video track.
  case oneVideoTrack = "one-video-track"
  /// The movie must not have video tracks other than the track that players display.
  case furtherVideo = "further-video"
  /// A Motion Photo must contain the movie that it declares.
  case embeddedMovie = "embedded-movie"
  /// The movie in a Motion Photo must begin at the position that XMP states.
  case embeddedMoviePlace = "embedded-movie-place"
  /// The photo's file must not contain a movie in an unknown layout.
  case unknownMovie = "unknown-movie"
  /// Samples must be stored at the positions that the sample tables state.
  case sampleTables = "sample-tables"
  /// The photo must be decodable.
  case photoDecodes = "photo-decodes"
  /// Every frame of the movie must be decodable.
  case movieDecodes = "movie-decodes"
  /// Every packet of the movie's audio must be decodable, up to the end of each audio track.
  case soundDecodes = "sound-decodes"
  /// The movie's audio must use a supported codec.
  case soundFormat = "sound-format"
  /// A track must state the photo's position in the movie.
  case stillImageTime = "still-image-time"
  /// The photo's position must be within the movie.
  case stillTimeInMovie = "still-time-in-movie"
  /// The video must be stored as `avc1` or `hvc1`.
  case videoFormat = "video-format"
  /// The matrix must represent only a rotation or mirroring.
  case matrixTurn = "matrix-turn"
  /// The matrix must place the picture at the origin. However, Photos itself writes movies that violate this rule, and
  /// players display such movies.
  case matrixOrigin = "matrix-origin"
  /// The clean aperture must be within the picture.
  case cleanAperture = "clean-aperture"
  /// The track apertures must not be larger than the picture.
  case trackApertures = "track-apertures"
  /// The sync sample table must identify the keyframes.
  case syncTable = "sync-table"
  /// Timed metadata tracks must state which keys they contain.
  case metadataDescriptions = "metadata-descriptions"
  /// The file must not contain unused media.
  case deadMedia = "dead-media"
  /// The embedded thumbnail must show the photo.
  case thumbnail = "thumbnail"
  /// The orientation in the movie's timed metadata must match the video track's matrix.
  case videoOrientation = "video-orientation"
  /// The photo and the movie must either both be portrait or both be landscape.
  case displayedShape = "displayed-shape"
  /// Live is turned off. An edit reduced the pair to a photo without a movie or an identifier.
  case liveOff = "live-off"
  /// It must be possible to run every check.
  case notChecked = "not-checked"

  /// Whether a photo or movie that breaks the rule cannot be displayed even on its own.
  package var concernsShowing: Bool {
    switch self {
    case .photoReadable, .movieReadable, .duration, .oneVideoTrack, .sampleTables, .photoDecodes,
      .movieDecodes:
      true
    default: false
    }
  }

  /// The severity of a broken rule.
  package enum Severity: String, Codable, Sendable {
    /// For information only.
    case note
    /// Photos accepts the Live Photo, but some information or functionality is lost.
    case warning
    /// Photos rejects the Live Photo or cannot display it.
    case error
  }

  /// The severity of breaking the rule.
  package var severity: Severity {
    switch self {
    case .photoMissing, .movieMissing, .onePhoto, .oneMovie, .fileType, .photoReadable, .movieReadable,
      .photoIdentifier, .movieIdentifier, .identifiersEqual, .metadataPlain, .duration, .headerDurations,
      .oneVideoTrack, .sampleTables, .photoDecodes, .movieDecodes, .embeddedMovie, .embeddedMoviePlace:
      .error
    case .identifierForm, .stillImageTime, .stillTimeInMovie, .videoFormat, .matrixTurn,
      .cleanAperture, .trackApertures, .syncTable, .metadataDescriptions, .deadMedia, .thumbnail,
      .itemData, .itemReferences, .photoOrientation, .auxiliaryPictures, .soundDecodes, .unknownMovie:
      .warning
    case .videoOrientation, .matrixOrigin, .displayedShape, .liveOff, .notChecked, .furtherVideo,
      .soundFormat:
      .note
    }
  }
}

/// A rule that a Live Photo breaks.
package struct VerificationFinding: Codable, Hashable, Sendable {
  /// The part of a Live Photo that a finding concerns.
  package enum Subject: String, Codable, Sendable {
    /// The photo.
    case photo
    /// The movie.
    case movie
    /// The photo and the movie together.
    case pair
  }

  /// The broken rule.
  package let rule: VerificationRule
  /// The severity of the broken rule.
  package let severity: VerificationRule.Severity
  /// The part of the Live Photo that the finding concerns.
  package let subject: Subject
  /// A description of the defect, in one sentence.
  @EnglishText package private(set) var message: Message

  /// Creates a finding.
  ///
  /// - Parameter message: A description of the defect, in one sentence.
  package init(_ rule: VerificationRule, _ subject: Subject, _ message: Message) {
    self.rule = rule
    severity = rule.severity
    self.subject = subject
    self.message = message
  }
}

extension [VerificationFinding] {
  /// Adds a broken rule.
  mutating func add(_ rule: VerificationRule, _ subject: VerificationFinding.Subject, _ message: Message) {
    append(VerificationFinding(rule, subject, message))
  }

  /// Adds an error that occurred while a photo or movie was read. An unsupported feature does not break a rule, so it
  /// is reported as unchecked.
  mutating func add(
    _ error: MediaError, _ rule: VerificationRule, _ half: VerificationFinding.Subject, _ state: Message
  ) {
    if error.isUnsupported {
      add(
        .notChecked, half,
        half == .movie
          ? "The movie was not checked: \(error.problem)." : "The photo was not checked: \(error.problem).")
    } else {
      add(
        rule, half,
        half == .movie
          ? "The movie is \(state): \(error.problem)." : "The photo is \(state): \(error.problem).")
    }
  }
}
