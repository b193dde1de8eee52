import Basics

/// The rules that a Live Photo must fulfil, by their stable names.
package enum VerificationRule: String, Codable, CaseIterable, Sendable {
  /// There is a photo.
  case photoMissing = "photo-missing"
  /// There is a movie.
  case movieMissing = "movie-missing"
  /// There is one photo only.
  case onePhoto = "one-photo"
  /// There is one movie only.
  case oneMovie = "one-movie"
  /// A file's extension says what it is: Photos goes by it.
  case fileType = "file-type"
  /// The photo's structure is sound.
  case photoReadable = "photo-readable"
  /// The movie's structure is sound.
  case movieReadable = "movie-readable"
  /// The data of a HEIC photo's items lies in the file.
  case itemData = "item-data"
  /// The items of a HEIC photo refer only to items that exist.
  case itemReferences = "item-references"
  /// Exif says of a HEIC photo's orientation what its properties say.
  case photoOrientation = "photo-orientation"
  /// A HEIC photo's thumbnail, gain map, depth and the like are laid down as the photo is.
  case auxiliaryPictures = "auxiliary-pictures"
  /// The photo carries an identifier in Apple's maker note.
  case photoIdentifier = "photo-identifier"
  /// The movie carries an identifier in its metadata.
  case movieIdentifier = "movie-identifier"
  /// Identifiers are upper-case UUIDs.
  case identifierForm = "identifier-form"
  /// The identifiers are equal, letter for letter.
  case identifiersEqual = "identifiers-equal"
  /// The movie's metadata is a plain QuickTime container in `moov`.
  case metadataPlain = "metadata-plain"
  /// The movie lasts.
  case duration = "duration"
  /// The durations in the movie's headers are those of its samples.
  case headerDurations = "header-durations"
  /// There is one video track, or one with the most frames.
  case oneVideoTrack = "one-video-track"
  /// There is no video track besides the one that players show.
  case furtherVideo = "further-video"
  /// A Motion Photo holds the movie that it announces.
  case embeddedMovie = "embedded-movie"
  /// A Motion Photo's movie begins where its XMP says.
  case embeddedMoviePlace = "embedded-movie-place"
  /// The photo's file holds no movie in a layout that is not known.
  case unknownMovie = "unknown-movie"
  /// Samples lie where the sample tables say.
  case sampleTables = "sample-tables"
  /// The photo can be decoded.
  case photoDecodes = "photo-decodes"
  /// Every frame of the movie can be decoded.
  case movieDecodes = "movie-decodes"
  /// Every packet of the movie's sound can be decoded, to the end of its tracks.
  case soundDecodes = "sound-decodes"
  /// The movie's sound is in a codec that is known here.
  case soundFormat = "sound-format"
  /// A track marks the photo's place in the movie.
  case stillImageTime = "still-image-time"
  /// The photo's place lies within the movie.
  case stillTimeInMovie = "still-time-in-movie"
  /// The video is stored as `avc1` or `hvc1`.
  case videoFormat = "video-format"
  /// The matrix turns or mirrors and does nothing else.
  case matrixTurn = "matrix-turn"
  /// The matrix lays the picture down at the origin. Photos itself writes movies that lie elsewhere, and players show them.
  case matrixOrigin = "matrix-origin"
  /// The clean aperture lies within the picture.
  case cleanAperture = "clean-aperture"
  /// The track apertures are no larger than the picture.
  case trackApertures = "track-apertures"
  /// The sync sample table marks the key frames.
  case syncTable = "sync-table"
  /// Timed metadata tracks say which keys they carry.
  case metadataDescriptions = "metadata-descriptions"
  /// The file holds no media that nothing refers to.
  case deadMedia = "dead-media"
  /// The embedded thumbnail shows the photo.
  case thumbnail = "thumbnail"
  /// The timed video-orientation says what the matrix does.
  case videoOrientation = "video-orientation"
  /// Photo and movie are both upright or both lying.
  case displayedShape = "displayed-shape"
  /// An edit left the photo alone, untied.
  case liveOff = "live-off"
  /// Something could not be checked.
  case notChecked = "not-checked"

  /// True if a half that breaks the rule cannot be shown, tied to another or not.
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
    /// Worth knowing.
    case note
    /// Photos accepts it, but something is lost.
    case warning
    /// Photos refuses it, or cannot show it.
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
  /// The half or pair that a finding is about.
  package enum Subject: String, Codable, Sendable {
    /// The photo.
    case photo
    /// The movie.
    case movie
    /// Both together.
    case pair
  }

  /// The rule.
  package let rule: VerificationRule
  /// Its severity.
  package let severity: VerificationRule.Severity
  /// The half that it is about, or the pair.
  package let subject: Subject
  /// The fault, in one sentence.
  @EnglishText package private(set) var message: Message

  /// - Parameter message: what is wrong, one sentence.
  package init(_ rule: VerificationRule, _ subject: Subject, _ message: Message) {
    self.rule = rule
    severity = rule.severity
    self.subject = subject
    self.message = message
  }
}

extension [VerificationFinding] {
  /// Adds a rule that is broken.
  mutating func add(_ rule: VerificationRule, _ subject: VerificationFinding.Subject, _ message: Message) {
    append(VerificationFinding(rule, subject, message))
  }

  /// Adds what came in the way of reading a half. What is not supported breaks no rule: it was not checked.
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
