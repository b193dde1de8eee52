public import Basics

/// The part of an edit that concerns time and sound: what of the movie is shown and heard, and which moment the photo
/// shows.
///
/// All times are those of the unedited movie, and all values are set, not added: a second trim replaces the first.
public struct Motion: Hashable, Sendable {
  /// A named change of how the movie plays, or of the photo by the movie.
  public enum Effect: String, CaseIterable, Codable, Hashable, Sendable {
    /// The movie plays as it was taken.
    case none
    /// The movie goes over into its own beginning and plays for ever.
    case loop
    /// The movie plays forwards, then backwards.
    case bounce
    /// The photo shows all of the movie's frames at once, as if the shutter had been open all the time.
    case longExposure
  }

  /// The part of the movie that is kept; nil keeps all of it.
  public private(set) var trim: Trim?
  /// The moment that the photo is made of, in millionths of a second; nil keeps the photo that was taken.
  public private(set) var keyPhoto: Int?
  /// The factor that the sound is multiplied with, in hundredths: 100 leaves it as it is, 0 leaves it out.
  public private(set) var volume: Int
  /// The effect.
  public var effect: Effect
  /// True if the photo stands alone, without its movie.
  public var isLiveOff: Bool

  /// The part of an edit that leaves time and sound as they are.
  public static let neutral = Motion(volume: 100)

  /// The longest movie, in millionths of a second: about eleven days.
  static let longest = 1_000_000_000_000
  /// The full volume, in hundredths.
  static let fullVolume = 100

  private init(volume: Int) {
    self.volume = volume
    (trim, keyPhoto, effect, isLiveOff) = (nil, nil, .none, false)
  }

  /// - Parameters:
  ///   - trim: the part of the movie that is kept; nil keeps all of it.
  ///   - keyPhoto: the moment that the photo is made of, in seconds, rounded to millionths; nil keeps the photo that was
  ///     taken.
  ///   - volume: what the sound is multiplied with, from 0 to 1, rounded to hundredths.
  ///   - effect: the effect.
  ///   - isLiveOff: true if the photo stands alone, without its movie.
  /// - Throws: ``Basics/EditError`` when the volume is out of range, or the key photo is no moment of the part that is kept.
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

  /// True if time and sound stay as they are.
  public var isNeutral: Bool { self == .neutral }

  /// The factor that the sound is multiplied with, from 0 to 1.
  public var soundFactor: Double { Double(volume) / Double(Self.fullVolume) }

  /// The moment that the photo is made of, in seconds; nil for the photo that was taken.
  public var keyPhotoSeconds: Double? { keyPhoto.map { Double($0) / 1_000_000 } }

  /// This time and sound where they change something, elsewhere another's.
  package func laid(over other: Motion) -> Motion {
    var laid = self
    if volume == Self.fullVolume { laid.volume = other.volume }
    if effect == .none { laid.effect = other.effect }
    laid.isLiveOff = isLiveOff || other.isLiveOff
    laid.trim = trim ?? other.trim
    laid.keyPhoto = keyPhoto ?? other.keyPhoto
    return laid
  }

  /// Sets the part of the movie that is kept; nil keeps all of it.
  ///
  /// - Throws: ``Basics/EditError`` when the key photo is no moment of that part.
  public mutating func setTrim(_ trim: Trim?) throws(EditError) {
    try set(trim: trim, keyPhoto: keyPhotoSeconds)
  }

  /// Sets the moment that the photo is made of.
  ///
  /// - Parameter seconds: the time of a frame; nil keeps the photo that was taken.
  /// - Throws: ``Basics/EditError`` when it is no moment of the part of the movie that is kept.
  public mutating func setKeyPhoto(_ seconds: Double?) throws(EditError) {
    try set(trim: trim, keyPhoto: seconds)
  }

  /// Sets the part of the movie that is kept, and the moment that the photo is made of.
  ///
  /// - Parameters:
  ///   - trim: the part that is kept; nil keeps all of it.
  ///   - keyPhoto: the time of a frame in seconds; nil keeps the photo that was taken.
  /// - Throws: ``Basics/EditError`` when the key photo is no moment of that part.
  public mutating func set(trim: Trim?, keyPhoto: Double?) throws(EditError) {
    self = try Motion(
      trim: trim, keyPhoto: keyPhoto, volume: soundFactor, effect: effect, isLiveOff: isLiveOff)
  }

  /// Sets the factor that the sound is multiplied with.
  ///
  /// - Parameter factor: from 0 to 1, rounded to hundredths; 0 leaves the sound out.
  /// - Throws: ``Basics/EditError`` when it is out of range.
  public mutating func setSoundFactor(_ factor: Double) throws(EditError) {
    self = try Motion(
      trim: trim, keyPhoto: keyPhotoSeconds, volume: factor, effect: effect, isLiveOff: isLiveOff)
  }
}

extension Motion {
  /// The values that are not neutral, by name: times in seconds, the trim as a pair.
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

  /// Reads what ``canonicalJSON`` writes.
  ///
  /// - Returns: nil when one of the values is impossible.
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
