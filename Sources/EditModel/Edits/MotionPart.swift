public import Basics

/// A part of an edit's timing and audio that can be copied on its own.
public enum MotionPart: String, CaseIterable, Hashable, Sendable {
  /// The part of the movie that is kept.
  case trim
  /// The frame that becomes the photo.
  case keyPhoto
  /// The volume of the audio.
  case sound
  /// The effect on the movie or the photo.
  case effect
  /// The Live setting, which determines whether the photo is shown with its movie or alone.
  case live

  /// The parts that also suit other movies, and are therefore copied by default.
  public static let portable: Set<MotionPart> = [.sound, .effect]
}

extension Motion {
  /// Returns this value with some of its parts replaced by the corresponding parts of another value.
  ///
  /// - Parameters:
  ///   - parts: The parts to replace. Parts that are neutral in `other` become neutral.
  ///   - other: The value to take the parts from.
  /// - Throws: ``Basics/EditError`` if the resulting key photo is outside the part of the movie that is kept.
  public func taking(_ parts: Set<MotionPart>, of other: Motion) throws(EditError) -> Motion {
    try Motion(
      trim: parts.contains(.trim) ? other.trim : trim,
      keyPhoto: parts.contains(.keyPhoto) ? other.keyPhotoSeconds : keyPhotoSeconds,
      volume: parts.contains(.sound) ? other.soundFactor : soundFactor,
      effect: parts.contains(.effect) ? other.effect : effect,
      isLiveOff: parts.contains(.live) ? other.isLiveOff : isLiveOff)
  }
}
