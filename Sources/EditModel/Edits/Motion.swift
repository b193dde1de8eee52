public import Basics

/// The part of an edit that concerns timing and audio: the visible and audible part of the movie, and the moment that
/// the photo shows.
///
/// All times refer to the unedited movie. All values are absolute: a second trim replaces the first.
public struct Motion: Hashable, Sendable {
  /// A named effect on the movie's playback, or on the photo.
  public enum Effect: String, CaseIterable, Codable, Hashable, Sendable {
    /// The movie plays as it was recorded.
    case none
    /// The movie loops seamlessly.
    case loop
    /// The movie plays forwards, then backwards.
    case bounce
    /// The photo combines all of the movie's frames, as if the shutter had stayed open for the whole movie.
    case longExposure
  }

  /// The part of the movie that is kept; nil keeps the whole movie.
  public private(set) var trim: Trim?
  /// The time of the frame that becomes the photo, in millionths of a second; nil keeps the original photo.
  public private(set) var keyPhoto: Int?
  /// The volume of the audio in hundredths: 100 leaves the audio unchanged, 0 removes it.
  public private(set) var volume: Int
  /// The effect on the movie or the photo.
  public var effect: Effect
  /// Whether the photo is shown alone, without its movie.
  public var isLiveOff: Bool

  /// The changes that leave timing and audio unchanged.
  public static let neutral = Motion(volume: 100)

  /// The maximum duration of a movie, in millionths of a second: about eleven days.
  static let longest = 1_000_000_000_000
  /// The value of the full volume, in hundredths.
  static let fullVolume = 100

  private init(volume: Int) {
    self.volume = volume
    (trim, keyPhoto, effect, isLiveOff) = (nil, nil, .none, false)
  }

  /// - Parameters:
  ///   - trim: The part of the movie that is kept; nil keeps the whole movie.
  ///   - keyPhoto: The time of the frame that becomes the photo, in seconds, rounded to millionths; nil keeps the
  ///     original photo.
  ///   - volume: The factor for the audio's volume, from 0 to 1, rounded to hundredths.
  ///   - effect: The effect on the movie or the photo.
  ///   - isLiveOff: Whether the photo is shown alone, without its movie.
  /// - Throws: ``Basics/EditError`` if the volume is out of range, or if the key photo is outside the part that is
  ///   kept.
  public init(
    trim: Trim? = nil, keyPhoto: Double? = nil, volume: Double = 1, effect: Effect = .none,
    isLiveOff: Bool = false
  ) throws(EditError) {
    guard 0...1 ~= volume else {
      throw EditError(.invalidEdit, "the volume \(volume) is outside the range from 0 to 1")
    }
    self.init(volume: Int((volume * Double(Self.fullVolume)).rounded()))
    if let keyPhoto {
      guard let moment = Trim.millionths(keyPhoto) else {
        throw EditError(.invalidEdit, "the key photo's time of \(keyPhoto) s is not valid")
      }
      guard trim?.keeps(frameAt: keyPhoto) ?? true else {
        throw EditError(
          .invalidEdit, "the key photo at \(keyPhoto) s lies outside the trimmed range",
          remedy:
            "keep that moment, or choose another key photo in the same command with trim --key-photo"
        )
      }
      self.keyPhoto = moment
    }
    (self.trim, self.effect, self.isLiveOff) = (trim, effect, isLiveOff)
  }

  /// Whether timing and audio are unchanged.
  public var isNeutral: Bool { self == .neutral }

  /// The factor for the audio's volume, from 0 to 1.
  public var soundFactor: Double { Double(volume) / Double(Self.fullVolume) }

  /// The time of the frame that becomes the photo, in seconds; nil for the original photo.
  public var keyPhotoSeconds: Double? { keyPhoto.map { Double($0) / 1_000_000 } }

  /// Returns these changes combined with another value's changes. The other changes apply only where this value changes
  /// nothing.
  package func laid(over other: Motion) -> Motion {
    var laid = self
    if volume == Self.fullVolume { laid.volume = other.volume }
    if effect == .none { laid.effect = other.effect }
    laid.isLiveOff = isLiveOff || other.isLiveOff
    laid.trim = trim ?? other.trim
    laid.keyPhoto = keyPhoto ?? other.keyPhoto
    return laid
  }

  /// Sets the part of the movie that is kept; nil keeps the whole movie.
  ///
  /// - Throws: ``Basics/EditError`` if the key photo is outside the part that is kept.
  public mutating func setTrim(_ trim: Trim?) throws(EditError) {
    try set(trim: trim, keyPhoto: keyPhotoSeconds)
  }

  /// Sets the frame that becomes the photo.
  ///
  /// - Parameter seconds: The time of the frame; nil keeps the original photo.
  /// - Throws: ``Basics/EditError`` if the time is outside the part of the movie that is kept.
  public mutating func setKeyPhoto(_ seconds: Double?) throws(EditError) {
    try set(trim: trim, keyPhoto: seconds)
  }

  /// Sets the part of the movie that is kept, and the frame that becomes the photo.
  ///
  /// - Parameters:
  ///   - trim: The part that is kept; nil keeps the whole movie.
  ///   - keyPhoto: The time of the frame in seconds; nil keeps the original photo.
  /// - Throws: ``Basics/EditError`` if the key photo is outside the part that is kept.
  public mutating func set(trim: Trim?, keyPhoto: Double?) throws(EditError) {
    self = try Motion(
      trim: trim, keyPhoto: keyPhoto, volume: soundFactor, effect: effect, isLiveOff: isLiveOff)
  }

  /// Sets the factor for the audio's volume.
  ///
  /// - Parameter factor: The factor, from 0 to 1, rounded to hundredths; 0 removes the audio.
  /// - Throws: ``Basics/EditError`` if the factor is out of range.
  public mutating func setSoundFactor(_ factor: Double) throws(EditError) {
    self = try Motion(
      trim: trim, keyPhoto: keyPhotoSeconds, volume: factor, effect: effect, isLiveOff: isLiveOff)
  }
}

extension Motion {
  /// The values that are not neutral, by name. Times are in seconds; the trim is a pair.
  var canonicalJSON: JSONValue {
    func seconds(_ millionths: Int) -> JSONValue { .decimal(millionths, digits: 6) }
    var members: [String: JSONValue] = [:]
    if let trim { members["trim"] = .array([seconds(trim.start), seconds(trim.end)]) }
    if let keyPhoto { members["keyPhoto"] = seconds(keyPhoto) }
    if volume != Self.fullVolume { members["volume"] = .decimal(volume, digits: 2) }
    if effect != .none { members["effect"] = .string(effect.rawValue) }
    if isLiveOff { members["live"] = .boolean(false) }
    return .object(members)
  }

  /// Reads the output of ``canonicalJSON``.
  ///
  /// - Returns: nil if a value is not valid.
  init?(stored value: JSONValue) {
    var kept: Trim?
    if let trim = value["trim"] {
      guard let ends = trim.numbers, ends.count == 2, let part = try? Trim(from: ends[0], to: ends[1]) else {
        return nil
      }
      kept = part
    }
    let effect = value["effect"].map { $0.text.flatMap(Effect.init(rawValue:)) } ?? Effect.none
    guard let effect,
      let motion = try? Motion(
        trim: kept, keyPhoto: value["keyPhoto"]?.number, volume: value["volume"]?.number ?? 1,
        effect: effect, isLiveOff: value["live"] == .boolean(false))
    else { return nil }
    self = motion
  }
}
