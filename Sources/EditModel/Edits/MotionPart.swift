public import Basics

/// A part of an edit's time and sound that can be copied alone.
public enum MotionPart: String, CaseIterable, Hashable, Sendable {
  /// The part of the movie that is kept.
  case trim
  /// The moment that the photo is made of.
  case keyPhoto
  /// The volume.
  case sound
  /// The effect.
  case effect
  /// Live off: the photo alone, or with its movie.
  case live

  /// The parts that fit other movies too, and are copied without being named.
  public static let portable: Set<MotionPart> = [.sound, .effect]
}

extension Motion {
  /// The same with some parts of another edit's time and sound.
  ///
  /// - Parameters:
  ///   - parts: the parts; those that are neutral in `other` become neutral.
  ///   - other: where they come from.
  /// - Throws: ``Basics/EditError`` when the key photo is no moment of the part that is kept then.
  public func taking(_ parts: Set<MotionPart>, of other: Motion) throws(EditError) -> Motion {
    try Motion(
      trim: parts.contains(.trim) ? other.trim : trim,
      keyPhoto: parts.contains(.keyPhoto) ? other.keyPhotoSeconds : keyPhotoSeconds,
      volume: parts.contains(.sound) ? other.soundFactor : soundFactor,
      effect: parts.contains(.effect) ? other.effect : effect,
      isLiveOff: parts.contains(.live) ? other.isLiveOff : isLiveOff)
  }
}
