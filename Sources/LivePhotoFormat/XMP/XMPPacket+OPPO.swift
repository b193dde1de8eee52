/// The properties in which OPPO, OnePlus and realme phones describe the movie of a Motion Photo, in addition to
/// Google's properties. These properties are in camera files from 2025, and the decoder of the phones' gallery reads
/// them.
extension XMPPacket {
  static let oppo = "http://ns.oplus.com/photos/1.0/camera/"
  private static let oppoTime = "MotionPhotoPrimaryPresentationTimestampUs"

  /// The photo's position in the movie according to Google's properties, in microseconds. The value is -1 if the
  /// position is unknown, and nil if no property states the position.
  var motionPhotoTime: Int? {
    ["MotionPhotoPresentationTimestampUs", "MicroVideoPresentationTimestampUs"].lazy.compactMap {
      text($0, in: Namespace.camera).flatMap { Int($0.text) }
    }.first
  }

  /// Updates OPPO's properties, if present, to describe another movie.
  ///
  /// - Parameters:
  ///   - movieSize: The size of the movie in bytes.
  ///   - time: The photo's position in the movie in microseconds, -1 if the position is unknown, or nil if the position
  ///     has not changed.
  mutating func stateForOPPO(movieSize: Int, time: Int?) {
    set("VideoLength", in: Self.oppo, to: String(movieSize))
    // After a different key photo is chosen, the camera's own time differs from Google's time. If the position does not
    // change, both times are kept.
    guard let time else { return }
    set(Self.oppoTime, in: Self.oppo, to: String(time))
    for property in properties(in: Self.oppo)
    where ["MotionPhotoVideoStart", "MotionPhotoVideoEnd"].contains(property.name.local) {
      remove(property)
    }
  }
}
